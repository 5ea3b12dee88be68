/*
 * stack_hot.h - stack_capture() in line, for launches: most stacks are as they were when the thread
 * last came by, and to see that needs no call.
 */
#ifndef CULPRIT_RECORD_STACK_HOT_H
#define CULPRIT_RECORD_STACK_HOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/python/python_stack.h"
#include "record/stacks/loads.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_check.h"

/* Of the call tree: raised, with release order, when known addresses may mean something else. */
extern __attribute__((visibility("hidden"))) uint64_t stack_generation; /* atomic */

/*
 * A kept stack with this stamp is not outdated by any module that came or went. Of two numbers that
 * only grow, as long as their sum is the same both are.
 */
static inline uint64_t stack_newest_stamp(void)
{
	return __atomic_load_n(&stack_generation, __ATOMIC_ACQUIRE) + loads_now();
}

/*
 * The set of ways of stacks like this caller's, the one that was there last in front; NULL: none
 * was needed there yet.
 */
static inline struct unwind_state **
stack_set_of(struct stack_cache *cache, const struct unwind_point *caller, uint64_t purpose)
{
	uint64_t key = caller->rsp * 4 + caller->ip + purpose;
	uint64_t set = (uint64_t)hash_narrow(key) * STACK_SETS >> 32;
	return &cache->ways[set * STACK_SET];
}

/* The stack that is there now is kept in this way. */
static inline bool stack_is_in(const struct unwind_state *way, const struct unwind_point *caller)
{
	return USUALLY(way) && USUALLY(way->stamp == stack_newest_stamp()) &&
	       USUALLY(unwind_is_same(way, caller));
}

/*
 * Not in front of its set: looks at the others, and walks. As stack_capture(), but for Python: the
 * way that is the stack now. NULL: none, also where stacks are off.
 */
struct unwind_state *stack_walk(struct stack_cache *cache, const void *frame, uint64_t purpose);

/* One in so many is compared with other ways to take it. */
void stack_compare(struct stack_cache *cache, const void *frame, uint32_t stack);

/* The entry point has a frame pointer: its caller's rbp and return address sit there. */
static inline struct unwind_point stack_caller(const void *frame)
{
	const uint64_t *saved = frame;
	return (struct unwind_point){
		.ip = saved[1], .rsp = (uintptr_t)(saved + 2), .rbp = saved[0]};
}

/*
 * As stack_capture(). Callers in the same place whose stacks differ are told apart by what they
 * call for, as far as that goes: any number will do.
 */
static inline uint32_t stack_capture_hot(struct stack_cache *cache, const void *frame,
					 uint64_t purpose)
{
	struct unwind_point caller = stack_caller(frame);
	struct unwind_state *way = *stack_set_of(cache, &caller, purpose);
	uint32_t native;
	if (USUALLY(stack_is_in(way, &caller))) {
		native = way->id;
	} else {
		way = stack_walk(cache, frame, purpose);
		native = way ? way->id : 0;
	}
	if (!USUALLY(!stack_check_is_due(&cache->n_stacks)))
		stack_compare(cache, frame, native);
	return python_stack_join(&cache->python, native, way ? &way->join : NULL);
}

#endif
