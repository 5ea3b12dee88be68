/*
 * test_graphs.c - which executable graph a handle means, how often it was launched, and what
 * becomes of its rows and its word.
 */
#include "record/graphs/graphs.h"

#include <pthread.h>

#include "record/graphs/graph_snapshot.h"
#include "record/host/arena.h"
#include "record/host/handle_map.h"
#include "support/check.h"

enum { MAX_MADE = 16 };

static void *made[MAX_MADE]; /* by arena_alloc() */
static uint32_t n_made;
static struct handle_entry entries[MAX_MADE];
static uint64_t rival; /* what another thread puts into the map first */
static bool is_memory_short;
static uint64_t newest_number;
static int n_locks;

/* These replace the C library's functions (--wrap). */
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex && !n_locks++);
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex && !--n_locks);
	return 0;
}

static unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

static CUgraphExec exec_of(unsigned value)
{
	return (CUgraphExec)(uintptr_t)value;
}

void *arena_alloc(size_t size)
{
	CHECK(!n_locks && n_made < MAX_MADE);
	return is_memory_short ? NULL : (made[n_made++] = calloc(1, size));
}

static struct handle_entry *entry_of(uint64_t key)
{
	CHECK(!n_locks);
	for (uint32_t i = 0; i < MAX_MADE; i++)
		if (entries[i].key == key)
			return &entries[i];
	return NULL;
}

bool handle_map_get(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	const struct handle_entry *entry = entry_of(key);
	CHECK(map && key);
	if (entry)
		*out_value = entry->value;
	return entry;
}

bool handle_map_put_new(struct handle_map *map, uint64_t key, uint64_t *value)
{
	CHECK(map && key && !entry_of(key));
	if (is_memory_short)
		return false;
	if (rival)
		*value = rival;
	*entry_of(0) = (struct handle_entry){key, *value};
	return true;
}

bool handle_map_take(struct handle_map *map, uint64_t key, uint64_t *out_value)
{
	struct handle_entry *entry = entry_of(key);
	CHECK(map && key);
	if (!entry)
		return false;
	*out_value = entry->value;
	*entry = (struct handle_entry){0};
	return true;
}

uint32_t graph_markers_interval(void)
{
	return 7;
}

struct graph_snapshot graph_snapshot_take(struct function_cache *functions, CUgraph graph,
					  CUgraphExec exec, uint32_t stack)
{
	CHECK(!n_locks);
	/* The old rows are nowhere meanwhile. */
	const struct graph_snapshot *old = graphs_snapshot(exec);
	CHECK(old && !old->row && !old->number && !old->version && !old->is_launched);
	trace_add("take %x of %x, stack %u, cache %x\n", number(exec), number(graph), stack,
		  number(functions));
	newest_number++;
	return (struct graph_snapshot){.number = newest_number,
				       .row = 100 + (uint32_t)newest_number,
				       .version = 200 + (uint32_t)newest_number};
}

void graph_snapshot_drop(struct graph_snapshot *snapshot)
{
	CHECK(!n_locks);
	trace_add("drop %u%s\n", snapshot->row, snapshot->is_launched ? ", launched" : "");
}

void graph_snapshot_mark(const struct graph_snapshot *snapshot, uint32_t interval,
			 uint32_t n_markers, bool is_linear)
{
	CHECK(!n_locks);
	trace_add("mark %u, every %u, %u%s\n", snapshot->row, interval, n_markers,
		  is_linear ? ", linear" : "");
}

void graph_snapshot_set_marked(const struct graph_snapshot *snapshot, uint32_t marked)
{
	CHECK_EQUAL(n_locks, 1);
	trace_add("%u passed %u\n", snapshot->row, marked);
}

static void make(unsigned exec)
{
	graphs_made((struct function_cache *)0x77, exec_of(exec), (CUgraph)0x66, 55);
	CHECK(!n_locks);
}

/* Launch it, and compare what is known. */
static void launch(unsigned exec, uint64_t replay, uint32_t of)
{
	struct record_graph graph = {.handle = 9, .replay = 99, .number = 99, .row = 99};
	graphs_launched(exec_of(exec), &graph);
	CHECK(!n_locks);
	CHECK_EQUAL(graph.handle, 9);
	CHECK_EQUAL(graph.replay, replay);
	CHECK_EQUAL(graph.number, of);
	CHECK_EQUAL(graph.row, of ? 100 + of : 0);
	CHECK_EQUAL(graph.version, of ? 200 + of : 0);
}

static void mark(unsigned exec, const void *context, uint32_t *word, bool is_linear)
{
	const struct graph_word of = {.context = context,
				      .word = word,
				      .device_word = 0x800 + exec,
				      .n_markers = word ? 5 : 0};
	const struct graph_marking by = {.n_markers = 4, .is_linear = is_linear};
	graphs_marked(exec_of(exec), &of, &by);
	CHECK(!n_locks);
}

static bool has_word(unsigned exec, const void *context, const uint32_t *word)
{
	struct graph_word got = graphs_word(exec_of(exec));
	return got.context == context && got.word == word &&
	       got.device_word == (word ? 0x800 + exec : 0) && got.n_markers == (word ? 5 : 0);
}

/* Nothing happens to a graph that is not known. */
static void test_unknown(void)
{
	struct record_graph graph = {.replay = 3};
	make(0);
	graphs_launched(NULL, &graph);
	CHECK_EQUAL(graph.replay, 3);
	is_memory_short = true;
	make(1);
	graphs_launched(exec_of(1), &graph);
	CHECK_EQUAL(graph.replay, 3);
	is_memory_short = false;
	graphs_refused(exec_of(1));
	graphs_destroyed(exec_of(1));
	mark(1, (void *)0x10, NULL, true);
	CHECK(has_word(1, NULL, NULL));
	CHECK(!graphs_update_marking(exec_of(1)) && !graphs_snapshot(exec_of(1)));
	CHECK(!graphs_update_marking(NULL) && !graphs_snapshot(NULL));
	CHECK_EQUAL(n_made, 0);
	CHECK_TRACE("");
}

static void test_launches(void)
{
	make(1);
	CHECK_TRACE("drop 0\ntake 1 of 66, stack 55, cache 77\n");
	CHECK(!graphs_snapshot(exec_of(1))->is_launched);
	launch(1, 1, 1);
	CHECK(graphs_snapshot(exec_of(1))->is_launched);
	launch(1, 2, 1);
	graphs_refused(exec_of(1));
	launch(1, 2, 1);
	make(1); /* an update */
	CHECK_TRACE("drop 101, launched\ntake 1 of 66, stack 55, cache 77\n");
	CHECK(!graphs_snapshot(exec_of(1))->is_launched);
	launch(1, 3, 2);
	launch(2, 1, 0); /* its start was not seen */
	launch(1, 4, 2);
	CHECK_EQUAL(n_made, 2);
	CHECK(graphs_snapshot(exec_of(1)) != graphs_snapshot(exec_of(2)));
	CHECK_TRACE("");
}

/* A destroyed graph's place is used again, the latest first, with nothing of the old graph. */
static void test_reuse(void)
{
	static uint32_t word;
	struct graph_marking *marking = graphs_update_marking(exec_of(1));
	*marking = (struct graph_marking){.n_markers = 3, .is_linear = true};
	CHECK(graphs_update_marking(exec_of(2)) != marking);
	CHECK(graphs_update_marking(exec_of(1)) == marking && marking->n_markers == 3);
	mark(1, (void *)0x10, &word, true);
	CHECK(has_word(1, (void *)0x10, &word));
	graphs_destroyed(exec_of(2));
	graphs_destroyed(exec_of(1));
	CHECK(!n_locks);
	CHECK(!graphs_snapshot(exec_of(1)) && !graphs_snapshot(exec_of(2)));
	CHECK_TRACE("mark 102, every 7, 4, linear\ndrop 0, launched\ndrop 102, launched\n");
	launch(3, 1, 0);
	CHECK(graphs_update_marking(exec_of(3)) == marking);
	CHECK(!marking->n_markers && !marking->is_linear && has_word(3, NULL, NULL));
	launch(4, 1, 0);
	CHECK_EQUAL(n_made, 2);
	launch(5, 1, 0);
	CHECK_EQUAL(n_made, 3);
}

/* Another thread is first, or the map has no memory: the new place is free again. */
static void test_race(void)
{
	rival = (uintptr_t)made[0];
	launch(6, 2, 0);
	rival = 0;
	CHECK_EQUAL(n_made, 4);
	launch(3, 3, 0);
	struct record_graph graph = {.replay = 3};
	is_memory_short = true;
	graphs_launched(exec_of(7), &graph);
	is_memory_short = false;
	CHECK_EQUAL(graph.replay, 3);
	CHECK(!graphs_snapshot(exec_of(7)));
	launch(7, 1, 0);
	CHECK_EQUAL(n_made, 4);
	CHECK(graphs_snapshot(exec_of(7)) != graphs_snapshot(exec_of(6)));
}

/* A word is copied before its context goes, and once at the failure: only while it counts. */
static void test_words(void)
{
	static uint32_t words[] = {2, 5, 4, 3};
	for (unsigned i = 0; i < 4; i++) {
		make(0x20 + i);
		mark(0x20 + i, i == 3 ? (void *)0x11 : (void *)0x10, &words[i], i & 1);
	}
	mark(5, (void *)0x10, NULL, false);
	(void)trace_take();
	graphs_context_destroyed((void *)0x11);
	CHECK(!n_locks);
	CHECK_TRACE("106 passed 3\n");
	CHECK(has_word(0x23, NULL, NULL) && has_word(0x20, (void *)0x10, &words[0]));
	graphs_copy_words_for_good();
	CHECK(!n_locks);
	CHECK_TRACE("105 passed 4\n103 passed 2\n");
	CHECK(has_word(0x20, (void *)0x10, &words[0]));
	graphs_copy_words_for_good();
	graphs_context_destroyed((void *)0x10);
	for (unsigned i = 0; i < 4; i++)
		CHECK(has_word(0x20 + i, NULL, NULL));
	CHECK_TRACE("");
}

int main(void)
{
	test_unknown();
	test_launches();
	test_reuse();
	test_race();
	test_words();
	return 0;
}
