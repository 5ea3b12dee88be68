/*
 * python_parts.h - types and functions that the Python files share.
 */
#ifndef CULPRIT_RECORD_PYTHON_PARTS_H
#define CULPRIT_RECORD_PYTHON_PARTS_H

#include <stdint.h>

#include "record/python/python_layout.h"

/* The interpreter that python.c has found. Never changes after it is published. */
struct python {
	const struct python_layout *layout;
	void *(*thread_state)(void); /* this thread's PyThreadState, or NULL; takes no lock */
	int (*is_finalizing)(void);  /* true while thread states are being freed */
	const void *code_type;       /* &PyCode_Type, and likewise below */
	const void *text_type;
	const void *bytes_type;
	uint16_t version; /* major << 8 | minor */
};

/*
 * python_tree.c: the call tree of Python frames, and its joints with that of native ones. Equal
 * paths have equal ids, and each node is written to the journal once.
 */

/*
 * Return the id in python-frames of `code` at `position`, called by the frame `parent` (0:
 * outermost). All 0 stands for callers that are left out. 0: no room. Any thread.
 */
uint32_t python_tree_frame(uint32_t parent, uint32_t code, uint32_t position);

/* Return the id in stacks of the native and Python stack together. 0: no room. Any thread. */
uint32_t python_tree_join(uint32_t native, uint32_t python);

/* python_text.c: copy Python's strings to the bundle's strings. */

/*
 * Return the bundle's string for a str object that this thread's frames keep alive, as UTF-8. Bytes
 * of a file name that Python could not decode are restored. Cut after some thousand bytes. 0: NULL,
 * not a str of the usual form, or no room. Under the lock of python_codes.c.
 */
uint32_t python_text_hold(const struct python *python, const void *object);

#endif
