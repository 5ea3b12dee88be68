/*
 * stack_cache.h - what one thread keeps so that its next stack costs little: the frames of the last
 * one, and call-tree nodes it used lately, found without the lock of the tree.
 */
#ifndef CULPRIT_RECORD_STACK_CACHE_H
#define CULPRIT_RECORD_STACK_CACHE_H

#include <stdint.h>

#include "unwind.h"

enum { STACK_NODES = 256 };

/* (parent, address) -> id, in the call tree's index and in the threads' copies. */
struct stack_node {
	uint64_t address; /* 0: free */
	uint32_t parent;
	uint32_t id;
};

struct stack_cache {
	uint64_t generation; /* of the call tree; another one makes all of it void */
	struct unwind_state unwind;
	struct stack_node nodes[STACK_NODES]; /* direct-mapped */
};

#endif
