/*
 * python_stack.h - the Python frames of the calling thread, joined with its native stack.
 */
#ifndef CULPRIT_RECORD_PYTHON_STACK_H
#define CULPRIT_RECORD_PYTHON_STACK_H

#include <stdint.h>

#include "base/hot.h"
#include "record/python/python.h"

/* A thread's cache for its next stack. Made at its first one; only the thread touches it. */
struct python_cache;

/* The last result for a native stack, stored with that stack. All zero: none yet. */
struct python_join {
	uint32_t python; /* the Python frames' id, 0: none */
	uint32_t id;     /* of both together */
	uint32_t
		generation; /* of the thread's Python ids at that time: another one makes it void */
};

/*
 * Return the stack id of `native` (a stack id, or 0) together with this thread's Python frames. If
 * there are no frames or no room, return `native`. If callers further out than PYTHON_FRAMES are
 * left out, the journal says so. *cache is NULL at first. `last`, which may be NULL, is the
 * caller's for this native stack. As stack_capture(), only inside a call. Slot owner only.
 */
uint32_t python_stack_take(const struct python *python, struct python_cache **cache,
			   uint32_t native, struct python_join *last);
static inline uint32_t python_stack_join(struct python_cache **cache, uint32_t native,
					 struct python_join *last)
{
	const struct python *python = python_running();
	/* Programs without Python jump over the call. */
	return LIKELY(python) ? python_stack_take(python, cache, native, last) : native;
}

#endif
