/*
 * python_join.h - the last answer about a native stack, kept where that is kept.
 */
#ifndef CULPRIT_RECORD_PYTHON_JOIN_H
#define CULPRIT_RECORD_PYTHON_JOIN_H

#include <stdint.h>

/* All zero: none. */
struct python_join {
	uint32_t python;     /* the Python frames' id, 0: none */
	uint32_t id;         /* of both together */
	uint32_t generation; /* of the thread's Python ids then: another one makes it void */
};

#endif
