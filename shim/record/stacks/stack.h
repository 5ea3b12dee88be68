/*
 * stack.h - capture the calling thread's stack, native and Python, as a small number.
 *
 * A stack id is the id of a node of the call tree in the journal (struct stack_row). Equal stacks
 * have equal ids, and each node is written once. Unloading a module starts a new generation, so
 * that an address that is used again never shows the old module's name.
 */
#ifndef CULPRIT_RECORD_STACK_H
#define CULPRIT_RECORD_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/python/python_stack.h"
#include "record/stacks/loads.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_check.h"

enum stack_source { STACK_OFF, STACK_OWN };

/* Start taking stacks if wanted. Start-up only. */
void stack_start(bool is_wanted);

/* Return whether stacks are taken. Also recorded as META_STACK_SOURCE. Any thread. */
enum stack_source stack_source(void);

/*
 * Return the stack of the caller of the entry point whose FRAME_HERE() is `frame`; frames below it
 * are ours and left out. 0: stacks are off, or none could be taken. Keeps errno where it can. Only
 * between thread_enter() and thread_leave(), so no signal handler re-enters it. Slot owner only.
 */
uint32_t stack_capture(struct stack_cache *cache, const void *frame);

/*
 * The cache passes to another thread, whose stack is another one, perhaps a smaller one at the same
 * address. Slot owner only.
 */
void stack_thread_finished(struct stack_cache *cache);

/* A module was unloaded: known addresses may change their meaning. Any thread. */
void stack_module_unloaded(void);

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

/*
 * Return the set of kept stacks for stacks like this caller's, the last one first. The first is
 * NULL if none was needed yet.
 */
static inline struct unwind_state **
stack_set_of(struct stack_cache *cache, const struct unwind_point *caller, uint64_t purpose)
{
	uint64_t key = caller->sp * 4 + caller->ip + purpose;
	uint64_t set = (uint64_t)hash_narrow(key) * STACK_SETS >> 32;
	return &cache->ways[set * STACK_SET];
}

/* True if this way holds the current stack. */
static inline bool stack_is_in(const struct unwind_state *way, const struct unwind_point *caller)
{
	return LIKELY(way) && LIKELY(way->stamp == stack_newest_stamp()) &&
	       LIKELY(unwind_is_same(way, caller));
}

/*
 * Slow path, if the current stack is not the first of its set: check the one that came after the
 * last stack the time before, then the others of the set, then walk. Return the way with the native
 * stack, NULL if there is none or stacks are off.
 */
struct unwind_state *stack_walk(struct stack_cache *cache, const void *frame, uint64_t purpose);

/* Compare this stack with other ways to take it. Called for one stack in so many. */
void stack_compare(struct stack_cache *cache, const void *frame, uint32_t stack);

/*
 * Note that this stack (NULL: none) was taken after the last one. A program's step makes the same
 * launches again, so the same stack is likely to come after it again.
 */
static inline void stack_note_order(struct stack_cache *cache, struct unwind_state *way)
{
	if (UNLIKELY(cache->next != way) && LIKELY(cache->last))
		cache->last->next = way;
	cache->last = way;
	cache->next = LIKELY(way) ? way->next : NULL;
}

/*
 * As stack_capture(), inline for launches: most stacks are the same as the last time, and checking
 * that needs no call. Any number will do as `purpose`: it helps to distinguish callers in the same
 * place whose stacks differ.
 */
static inline uint32_t stack_capture_hot(struct stack_cache *cache, const void *frame,
					 uint64_t purpose)
{
	struct unwind_point caller = unwind_caller(frame);
	struct unwind_state *way = *stack_set_of(cache, &caller, purpose);
	uint32_t native = 0;
	if (LIKELY(stack_is_in(way, &caller))) {
		native = way->id;
	} else {
		way = stack_walk(cache, frame, purpose);
		native = way ? way->id : 0;
	}
	stack_note_order(cache, way);
	if (UNLIKELY(stack_check_is_due(&cache->n_stacks)))
		stack_compare(cache, frame, native);
	return python_stack_join(&cache->python, native, way ? &way->join : NULL);
}

#endif
