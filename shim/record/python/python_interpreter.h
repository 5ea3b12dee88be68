/*
 * python_interpreter.h - what the python files need of the interpreter that python.c has found.
 */
#ifndef CULPRIT_RECORD_PYTHON_INTERPRETER_H
#define CULPRIT_RECORD_PYTHON_INTERPRETER_H

#include <stdint.h>

#include "record/python/python_layout.h"

/* Never changes after it is published. */
struct python {
	const struct python_layout *layout;
	void *(*thread_state)(void); /* this thread's PyThreadState, or NULL; takes no lock */
	int (*is_finalizing)(void);  /* true while thread states are being freed */
	const void *code_type;       /* &PyCode_Type, and likewise below */
	const void *text_type;
	const void *bytes_type;
	uint16_t version; /* major << 8 | minor */
};

#endif
