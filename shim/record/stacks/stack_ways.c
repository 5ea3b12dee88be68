/*
 * stack_ways.c - sets of a few kept stacks each, the last one used first.
 */
#include "record/stacks/stack_ways.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/hot.h"
#include "record/host/arena.h"
#include "record/stacks/stack_cache.h"
#include "record/stacks/stack_hot.h"

/* Allocate one more kept stack, all zero; all of it is touched soon. */
static COLD struct unwind_state *make_way(struct stack_cache *cache)
{
	if (!cache->is_first_taken) {
		cache->is_first_taken = true;
		return &cache->first;
	}
	struct unwind_state *way = arena_alloc(sizeof(*way));
	if (way)
		arena_populate(way, sizeof(*way));
	return way;
}

/*
 * Return the set of kept stacks for stacks like this caller's, the last one first. The first is
 * NULL if none was needed yet.
 */
static struct unwind_state **set_of(struct stack_cache *cache, const struct unwind_point *caller,
				    uint64_t purpose)
{
	uint64_t key = caller->sp * 4 + caller->ip + purpose;
	uint64_t set = (uint64_t)hash_narrow(key) * STACK_SETS >> 32;
	return &cache->ways[set * STACK_SET];
}

struct unwind_state *stack_ways_choose(struct stack_cache *cache, const struct unwind_point *caller,
				       uint64_t purpose)
{
	struct unwind_state **set = set_of(cache, caller, purpose);
	int chosen = 0;
	while (chosen < STACK_SET - 1 && set[chosen] && !stack_is_in(set[chosen], caller))
		chosen++;
	if (!set[chosen])
		set[chosen] = make_way(cache);
	if (!set[chosen] && chosen)
		chosen--;
	struct unwind_state *way = set[chosen];
	memmove(set + 1, set, (size_t)chosen * sizeof(*set));
	set[0] = way;
	return way;
}

void stack_ways_follow(struct unwind_state *before, struct unwind_state *way)
{
	before->next.state = way;
	before->next.n_frames = way->n_frames < UNWIND_FEW ? way->n_frames : UNWIND_FEW;
}
