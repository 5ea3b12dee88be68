/*
 * python_join.h - the last result for a native stack, stored with that stack.
 */
#ifndef CULPRIT_RECORD_PYTHON_JOIN_H
#define CULPRIT_RECORD_PYTHON_JOIN_H

#include <stdint.h>

/* All zero if there is none. */
struct python_join {
	uint32_t python; /* the Python frames' id, 0: none */
	uint32_t id;     /* of both together */
	uint32_t
		generation; /* of the thread's Python ids at that time: another one makes it void */
};

#endif
