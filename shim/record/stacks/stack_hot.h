/*
 * stack_hot.h - an inline stack_capture() for launches. Most stacks are the same as the last time,
 * and checking that needs no call.
 */
#ifndef CULPRIT_RECORD_STACK_HOT_H
#define CULPRIT_RECORD_STACK_HOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "record/python/python_stack.h"
#include "record/stacks/loads.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_check.h"

/* The call tree's generation: raised, with release order, when addresses may change meaning. */
extern __attribute__((visibility("hidden"))) uint64_t stack_generation; /* atomic */

/*
 * Return the newest stamp: a kept stack with it is not outdated by a load or unload of modules.
 * Both numbers only grow, so while their sum stays the same, both do.
 */
static inline uint64_t stack_newest_stamp(void)
{
	return __atomic_load_n(&stack_generation, __ATOMIC_ACQUIRE) + loads_now();
}

/* True if this way holds the current stack. */
static inline bool stack_is_in(const struct unwind_state *way, const struct unwind_point *caller)
{
	return LIKELY(way) && LIKELY(way->stamp == stack_newest_stamp()) &&
	       LIKELY(unwind_is_same(way, caller));
}

/*
 * Slow path, if the current stack is not the one that was guessed: check those of its set, then
 * walk. Return the way with the native stack, NULL if there is none or stacks are off.
 */
struct unwind_state *stack_walk(struct stack_cache *cache, const void *frame, uint64_t purpose);

/* Compare this stack with other ways to take it. Called for one stack in so many. */
void stack_compare(struct stack_cache *cache, const void *frame, uint32_t stack);

/*
 * As stack_capture(). Any number will do as `purpose`: it helps to distinguish callers in the same
 * place whose stacks differ.
 */
static inline uint32_t stack_capture_hot(struct stack_cache *cache, const void *frame,
					 uint64_t purpose)
{
	struct unwind_point caller = unwind_caller(frame);
	struct unwind_state *way = cache->next;
	if (UNLIKELY(!stack_is_in(way, &caller)))
		way = stack_walk(cache, frame, purpose);
	cache->before = cache->last;
	cache->last = way;
	cache->next = LIKELY(way) ? way->next.state : NULL;
	uint32_t native = LIKELY(way) ? way->id : 0;
	if (UNLIKELY(stack_check_is_due(&cache->n_stacks)))
		stack_compare(cache, frame, native);
	return python_stack_join(&cache->python, native, way ? &way->join : NULL);
}

/* Note what the caller read after taking the last stack: it is prefetched with it next time. */
static inline void stack_note(struct stack_cache *cache, const void *line, const void *other)
{
	struct unwind_state *before = cache->before;
	if (UNLIKELY(!before) || LIKELY(before->next.lines[0] == line))
		return;
	before->next.lines[0] = line;
	before->next.lines[1] = other;
}

/*
 * Prefetch what the next stack is likely to read. A program's step makes the same launches again,
 * but with all else that it does in between, what each of them reads has left the near caches.
 * Always inline: see ring_prefetch().
 */
static inline __attribute__((always_inline)) void
stack_prefetch_next(const struct stack_cache *cache)
{
	const struct unwind_state *next = cache->next;
	if (UNLIKELY(!next) || next == cache->last)
		return;
	const struct unwind_guess *guess = &cache->last->next;
	__builtin_prefetch(next);
	__builtin_prefetch(&next->next);
	__builtin_prefetch(guess->lines[0]);
	__builtin_prefetch(guess->lines[1]);
	const char *words = (const char *)next->few_words;
	for (size_t at = 0; at < guess->n_frames * sizeof(struct unwind_word); at += 64)
		__builtin_prefetch(words + at);
}

#endif
