/*
 * graphs.c - find executable graphs by handle.
 */
#include "record/graphs/graphs.h"

#include <pthread.h>
#include <stddef.h>

#include "record/graphs/graph_snapshot.h"
#include "record/host/arena.h"
#include "record/host/handle_map.h"

/*
 * In the arena, and reused for another graph when this one is destroyed. A thread that launches a
 * graph while another destroys it does what the driver forbids, and gets a wrong count.
 */
struct executable {
	uint64_t n_replays;             /* atomic */
	struct graph_snapshot snapshot; /* is replaced under lock */
	struct graph_word word;         /* changes under lock */
	struct graph_marking updating;
	struct executable *next;      /* in the list of all, past and present; never changes */
	struct executable *next_free; /* under lock */
};

static struct handle_map map; /* CUgraphExec -> struct executable */
/* Guards the lists, and members marked "under lock"; only a row pool's lock is inside it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct executable *all;
static struct executable *first_free;
static bool are_words_copied; /* under lock */

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

static struct executable *make_new(void)
{
	struct executable *executable = arena_alloc(sizeof(*executable));
	if (!executable)
		return NULL;
	pthread_mutex_lock(&lock);
	executable->next = all;
	all = executable;
	pthread_mutex_unlock(&lock);
	return executable;
}

static struct executable *make(void)
{
	struct executable *executable = take_free();
	if (!executable)
		return make_new();
	executable->n_replays = 0;
	executable->updating = (struct graph_marking){0};
	return executable;
}

static struct executable *find(CUgraphExec exec)
{
	uint64_t value = 0;
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

/* From here on nothing is copied into the rows, which may become another graph's. */
static struct graph_snapshot take_snapshot_off(struct executable *executable)
{
	pthread_mutex_lock(&lock);
	struct graph_snapshot snapshot = executable->snapshot;
	executable->snapshot = (struct graph_snapshot){0};
	pthread_mutex_unlock(&lock);
	return snapshot;
}

void graphs_made(struct function_cache *functions, CUgraphExec exec, CUgraph graph, uint32_t stack)
{
	struct executable *executable = find_or_make(exec);
	if (!executable)
		return;
	struct graph_snapshot old = take_snapshot_off(executable);
	graph_snapshot_drop(&old);
	struct graph_snapshot made = graph_snapshot_take(functions, graph, exec, stack);
	pthread_mutex_lock(&lock);
	executable->snapshot = made;
	pthread_mutex_unlock(&lock);
}

void graphs_marked(CUgraphExec exec, const struct graph_word *word,
		   const struct graph_marking *marking)
{
	struct executable *executable = find(exec);
	if (!executable)
		return;
	graph_snapshot_mark(&executable->snapshot, graph_markers_interval(), marking->n_markers,
			    marking->is_linear);
	pthread_mutex_lock(&lock);
	executable->word = *word;
	pthread_mutex_unlock(&lock);
}

struct graph_word graphs_word(CUgraphExec exec)
{
	const struct executable *executable = find(exec);
	return executable ? executable->word : (struct graph_word){0};
}

struct graph_marking *graphs_update_marking(CUgraphExec exec)
{
	struct executable *executable = find(exec);
	return executable ? &executable->updating : NULL;
}

/* Under lock. */
static void copy_word(const struct executable *executable)
{
	const struct graph_word *word = &executable->word;
	if (!word->word || are_words_copied)
		return;
	uint32_t marked = __atomic_load_n(word->word, __ATOMIC_ACQUIRE);
	if (marked < word->n_markers)
		graph_snapshot_set_marked(&executable->snapshot, marked);
}

void graphs_copy_words_for_good(void)
{
	pthread_mutex_lock(&lock);
	for (const struct executable *at = all; at; at = at->next)
		copy_word(at);
	are_words_copied = true;
	pthread_mutex_unlock(&lock);
}

void graphs_context_destroyed(const struct context *context)
{
	pthread_mutex_lock(&lock);
	for (struct executable *at = all; at; at = at->next) {
		if (at->word.context != context)
			continue;
		copy_word(at);
		at->word = (struct graph_word){0};
	}
	pthread_mutex_unlock(&lock);
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

void graphs_refused(CUgraphExec exec)
{
	struct executable *executable = find(exec);
	if (executable)
		(void)__atomic_sub_fetch(&executable->n_replays, 1, __ATOMIC_RELAXED);
}

struct graph_snapshot *graphs_snapshot(CUgraphExec exec)
{
	struct executable *executable = find(exec);
	return executable ? &executable->snapshot : NULL;
}

void graphs_destroyed(CUgraphExec exec)
{
	uint64_t value = 0;
	if (!handle_map_take(&map, (uintptr_t)exec, &value))
		return;
	struct executable *executable = (struct executable *)(uintptr_t)value;
	struct graph_snapshot snapshot = take_snapshot_off(executable);
	graph_snapshot_drop(&snapshot);
	pthread_mutex_lock(&lock);
	executable->word = (struct graph_word){0};
	pthread_mutex_unlock(&lock);
	give_free(executable);
}
