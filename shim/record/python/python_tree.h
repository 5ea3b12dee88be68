/*
 * python_tree.h - the call tree of Python frames, and its joints with that of native ones. Equal
 * paths have equal ids, and each node is written to the journal once.
 */
#ifndef CULPRIT_RECORD_PYTHON_TREE_H
#define CULPRIT_RECORD_PYTHON_TREE_H

#include <stdint.h>

/*
 * Return the id in python-frames of `code` at `position`, called by the frame `parent` (0:
 * outermost). All 0 stands for callers that are left out. 0: no room. Any thread.
 */
uint32_t python_tree_frame(uint32_t parent, uint32_t code, uint32_t position);

/* Return the id in stacks of the native and Python stack together. 0: no room. Any thread. */
uint32_t python_tree_join(uint32_t native, uint32_t python);

#endif
