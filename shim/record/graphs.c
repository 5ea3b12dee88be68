/*
 * graphs.c - replay counters by graph handle.
 */
#include "graphs.h"

#include "arena.h"
#include "handle_map.h"

static struct handle_map map; /* CUgraphExec -> uint64_t counter, atomic, in the arena */

static uint64_t *counter_of(CUgraphExec graph)
{
	uint64_t value;
	if (handle_map_get(&map, (uintptr_t)graph, &value))
		return (uint64_t *)(uintptr_t)value;
	uint64_t *counter = arena_alloc(sizeof(*counter));
	value = (uintptr_t)counter;
	if (!counter || !handle_map_put_new(&map, (uintptr_t)graph, &value))
		return NULL;
	return (uint64_t *)(uintptr_t)value;
}

uint64_t graphs_next_replay(CUgraphExec graph)
{
	uint64_t *counter = graph ? counter_of(graph) : NULL;
	return counter ? __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED) : 0;
}

void graphs_destroyed(CUgraphExec graph)
{
	uint64_t ignored;
	(void)handle_map_take(&map, (uintptr_t)graph, &ignored);
}
