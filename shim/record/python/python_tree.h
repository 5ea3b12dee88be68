/*
 * python_tree.h - the call tree of Python frames, and its joints with that of native ones: equal
 * paths have equal ids, and each node is written to the journal once.
 */
#ifndef CULPRIT_RECORD_PYTHON_TREE_H
#define CULPRIT_RECORD_PYTHON_TREE_H

#include <stdint.h>

/*
 * The id in python-frames of `code` at `position`, called by the frame `parent` (0: outermost); all
 * 0: the place of callers that are left out. 0: no room. Any thread.
 */
uint32_t python_tree_frame(uint32_t parent, uint32_t code, uint32_t position);

/* The id in stacks of the native stack together with the Python stack. 0: no room. Any thread. */
uint32_t python_tree_join(uint32_t native, uint32_t python);

#endif
