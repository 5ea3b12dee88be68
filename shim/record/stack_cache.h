/*
 * stack_cache.h - the stacks a thread captured lately, whole, so that the usual case (the same
 * stack again) is one comparison instead of a walk through the call tree.
 */
#ifndef CULPRIT_RECORD_STACK_CACHE_H
#define CULPRIT_RECORD_STACK_CACHE_H

#include <stdint.h>

enum { STACK_CACHE = 32, STACK_CACHE_FRAMES = 48 };

struct cached_stack {
	uint64_t generation; /* of the call tree; another one makes the entry void; 0: empty */
	uint32_t id;
	uint32_t n_frames;
	void *frames[STACK_CACHE_FRAMES];
};

struct stack_cache {
	struct cached_stack entries[STACK_CACHE];
};

#endif
