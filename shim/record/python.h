/*
 * python.h - the CPython interpreter in this process, if there is one that we know how to read.
 *
 * Nothing here or in the other python files takes the interpreter's lock, runs Python code or
 * allocates its objects: a thread reads its own frames, which nobody else writes.
 */
#ifndef CULPRIT_RECORD_PYTHON_H
#define CULPRIT_RECORD_PYTHON_H

#include <stdbool.h>
#include <stdint.h>

#include "python_layout.h"

/* What a walk asks of the interpreter. Never changes once it is published. */
struct python {
	const struct python_layout *layout;
	void *(*thread_state)(void); /* this thread's PyThreadState, or NULL; takes no lock */
	int (*is_finalizing)(void);  /* thread states are being freed */
	const void *code_type;       /* &PyCode_Type, as the next two */
	const void *text_type;
	const void *bytes_type;
	uint16_t version; /* major << 8 | minor */
};

/* Looks for an interpreter, unless that is not wanted. Start-up only. */
void python_start(bool is_wanted);

/*
 * The interpreter, or NULL: there is none, or none that can be read. Looks again when the journal
 * has met a new module since: a stack that comes from an interpreter loaded meanwhile has. Any
 * thread.
 */
const struct python *python_running(void);

/* The journal has met a new module. Any thread. */
void python_module_met(void);

/*
 * One line for a person: "off", "none", "CPython 3.12.1", or why one cannot be read, as in
 * "CPython 3.16.0: unknown version". Any thread.
 */
const char *python_status(void);

#endif
