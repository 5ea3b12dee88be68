/*
 * graphs.c - executable graphs by handle.
 */
#include "graphs.h"

#include <pthread.h>
#include <stddef.h>

#include "arena.h"
#include "graph_snapshot.h"
#include "handle_map.h"

/*
 * In the arena, used again for another graph when this one is destroyed. Who launches a graph
 * while another thread destroys it does what the driver forbids, and gets a wrong count.
 */
struct executable {
	uint64_t n_replays; /* atomic */
	struct graph_snapshot snapshot;
	struct executable *next_free; /* under lock */
};

static struct handle_map map;                            /* CUgraphExec -> struct executable */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list; innermost */
static struct executable *first_free;

static struct executable *take_free(void)
{
	pthread_mutex_lock(&lock);
	struct executable *executable = first_free;
	if (executable)
		first_free = executable->next_free;
	pthread_mutex_unlock(&lock);
	return executable;
}

static void give_free(struct executable *executable)
{
	pthread_mutex_lock(&lock);
	executable->next_free = first_free;
	first_free = executable;
	pthread_mutex_unlock(&lock);
}

static struct executable *make(void)
{
	struct executable *executable = take_free();
	if (!executable)
		return arena_alloc(sizeof(*executable));
	*executable = (struct executable){0};
	return executable;
}

static struct executable *find(CUgraphExec exec)
{
	uint64_t value;
	if (!exec || !handle_map_get(&map, (uintptr_t)exec, &value))
		return NULL;
	return (struct executable *)(uintptr_t)value;
}

static struct executable *find_or_make(CUgraphExec exec)
{
	struct executable *executable = find(exec);
	if (executable || !exec)
		return executable;
	executable = make();
	uint64_t value = (uintptr_t)executable;
	if (!executable)
		return NULL;
	if (!handle_map_put_new(&map, (uintptr_t)exec, &value))
		value = 0;
	if (value != (uintptr_t)executable)
		give_free(executable);
	return (struct executable *)(uintptr_t)value;
}

void graphs_made(struct thread *thread, CUgraphExec exec, CUgraph graph, uint32_t stack)
{
	struct executable *executable = find_or_make(exec);
	if (!executable)
		return;
	graph_snapshot_drop(&executable->snapshot);
	executable->snapshot = graph_snapshot_take(thread, graph, exec, stack);
}

void graphs_launched(CUgraphExec exec, struct record_graph *out)
{
	struct executable *executable = find_or_make(exec);
	if (!executable)
		return;
	struct graph_snapshot *snapshot = &executable->snapshot;
	__atomic_store_n(&snapshot->is_launched, true, __ATOMIC_RELAXED);
	out->replay = __atomic_add_fetch(&executable->n_replays, 1, __ATOMIC_RELAXED);
	out->number = snapshot->number;
	out->row = snapshot->row;
	out->version = snapshot->version;
}

struct graph_snapshot *graphs_snapshot(CUgraphExec exec)
{
	struct executable *executable = find(exec);
	return executable ? &executable->snapshot : NULL;
}

void graphs_destroyed(CUgraphExec exec)
{
	uint64_t value;
	if (!handle_map_take(&map, (uintptr_t)exec, &value))
		return;
	struct executable *executable = (struct executable *)(uintptr_t)value;
	graph_snapshot_drop(&executable->snapshot);
	give_free(executable);
}
