/*
 * Unit tests of rows and texts that are reused. An old id never shows what a row means later, even
 * while threads add and end rows, and what is kept for the verdict stays as it is.
 */
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/journal/bundle.h"
#include "record/journal/row_uses.h"
#include "record/journal/strings.h"
#include "support/check.h"
#include "view/bundle_view.h"

enum { N_ROWS = 64, N_STRING_ROWS = 4096, N_THREADS = 4, N_ROUNDS = 20000, N_LIVE = 8 };

static struct table tables[N_JOURNAL_FILES];

struct table *bundle_table(enum journal_file kind)
{
	return &tables[kind];
}

static void end_row(uint32_t place, const void *row)
{
	CHECK(place > 0 && place <= N_ROWS);
	strings_drop(((const struct function_row *)row)->name);
}

static uint16_t given[ROW_ID_MAX + 1];
static struct row_uses uses = {.file = JOURNAL_FUNCTIONS,
			       .n_kept = N_ROWS / 4,
			       .use_offset = offsetof(struct function_row, use),
			       .end = end_row,
			       .given = given};

static struct bundle_view view_now(void)
{
	struct bundle_view *view = calloc(1, sizeof(*view));
	CHECK(view);
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		if (tables[kind].header)
			CHECK_EQUAL(bundle_view_add(view, tables[kind].store.base,
						    tables[kind].store.backed, NULL),
				    0);
	}
	struct bundle_view copy = *view;
	free(view);
	return copy;
}

static uint32_t add(uint64_t number)
{
	char name[32];
	int length = snprintf(name, sizeof(name), "kernel_%" PRIu64, number);
	struct function_row row = {
		.handle = number,
		.name = strings_hold(name, (size_t)length, STRINGS_KERNELS),
	};
	return row_uses_add(&uses, &row);
}

/* True if the id shows nothing, or what it was. */
static bool is_right(const struct bundle_view *view, uint32_t id, uint64_t number)
{
	const struct function_row *row = view_function(view, id);
	char name[32];
	(void)snprintf(name, sizeof(name), "kernel_%" PRIu64, number);
	return !row ||
	       (row->handle == number && strcmp(view_string(view, row->name, NULL), name) == 0);
}

/* The rows that one thread has added. */
struct history {
	unsigned index;
	uint32_t ids[N_ROUNDS];
	uint64_t numbers[N_ROUNDS];
};

static struct history histories[N_THREADS];

static void *come_and_go(void *argument)
{
	struct history *history = argument;
	for (uint64_t i = 0; i < N_ROUNDS; i++) {
		/* On a busy machine all of it could be over before the rows are kept. */
		while (i == N_ROUNDS / 2 && !tables_are_frozen())
			(void)sched_yield();
		history->numbers[i] = i * N_THREADS + history->index;
		history->ids[i] = add(history->numbers[i]);
		if (i >= N_LIVE && !tables_are_frozen())
			row_uses_give(&uses, history->ids[i - N_LIVE]);
	}
	return NULL;
}

static uint64_t count_known(const struct bundle_view *view, const struct history *history)
{
	uint64_t n = 0;
	for (size_t i = 0; i < N_ROUNDS; i++) {
		uint32_t id = __atomic_load_n(&history->ids[i], __ATOMIC_RELAXED);
		if (!id)
			continue;
		CHECK(is_right(view, id, i * N_THREADS + history->index));
		n += view_function(view, id) != NULL;
	}
	return n;
}

/* Threads start, the rows are kept while they run, and what is read then stays. */
static void test_threads(void)
{
	static struct bundle_view view;
	uint64_t n_known = 0;
	pthread_t threads[N_THREADS];
	for (unsigned i = 0; i < N_THREADS; i++) {
		histories[i].index = i;
		CHECK(!pthread_create(&threads[i], NULL, come_and_go, &histories[i]));
	}
	while (!__atomic_load_n(&tables[JOURNAL_FUNCTIONS].header->n_reused, __ATOMIC_RELAXED))
		(void)sched_yield();
	row_uses_freeze();
	uint64_t n_reused =
		__atomic_load_n(&tables[JOURNAL_FUNCTIONS].header->n_reused, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < N_THREADS; i++)
		CHECK(!pthread_join(threads[i], NULL));
	CHECK_EQUAL(tables[JOURNAL_FUNCTIONS].header->n_reused, n_reused);
	view = view_now();
	for (unsigned i = 0; i < N_THREADS; i++)
		n_known += count_known(&view, &histories[i]);
	CHECK_EQUAL(n_known, tables[JOURNAL_FUNCTIONS].header->n_rows);
}

static void test_old_ids_are_none(void)
{
	static struct bundle_view view;
	uint32_t ids[4 * N_ROWS];
	for (uint32_t i = 0; i < 4 * N_ROWS; i++) {
		ids[i] = add(i);
		CHECK(ids[i]);
		view = view_now();
		CHECK(view_function(&view, ids[i]) && is_right(&view, ids[i], i));
		row_uses_give(&uses, ids[i]);
	}
	for (uint32_t i = 0; i < 4 * N_ROWS; i++) {
		CHECK(is_right(&view, ids[i], i));
		/* This many of the released rows stay readable. */
		CHECK_EQUAL(view_function(&view, ids[i]) != NULL, i + N_ROWS / 4 + 1 >= 4 * N_ROWS);
	}
	CHECK_EQUAL(tables[JOURNAL_FUNCTIONS].header->lost, 0);
	CHECK_EQUAL(tables[JOURNAL_FUNCTIONS].header->n_rows, N_ROWS / 4 + 1);
	CHECK(tables[JOURNAL_STRINGS].header->n_rows < N_STRING_ROWS / 16);
	CHECK_EQUAL(view_id_at(&view, JOURNAL_FUNCTIONS, row_id_place(ids[4 * N_ROWS - 1])),
		    ids[4 * N_ROWS - 1]);
}

/* Each row has had its last use: later requests find no room, and say so. */
static void test_uses_end(void)
{
	static struct bundle_view view;
	uint64_t n = 0;
	uint32_t first = add(0);
	uint32_t id = first;
	while (id) {
		row_uses_give(&uses, id);
		id = add(++n);
	}
	CHECK(n > (uint64_t)N_ROWS * ROW_USE_MAX / 2);
	CHECK(tables[JOURNAL_FUNCTIONS].header->lost > 0);
	view = view_now();
	CHECK(!view_function(&view, first));
}

/* Other text fills its half, and kernels still find room. */
static void test_kernels_have_room(void)
{
	uint32_t id = 1;
	char text[128];
	for (int i = 0; id; i++) {
		int length = snprintf(text, sizeof(text), "/a/path/that/is/long/%064d", i);
		id = strings_hold(text, (size_t)length, STRINGS_OTHER);
	}
	CHECK(tables[JOURNAL_STRINGS].header->lost > 0);
	CHECK(tables[JOURNAL_STRINGS].header->n_rows <= N_STRING_ROWS / 2);
	CHECK(strings_hold("scale", 5, STRINGS_KERNELS));
	CHECK(!strings_hold("another one of those long paths, which fill a whole half of it", 62,
			    STRINGS_OTHER));
}

/* One text has one id. Its place is reused only after its last holder has released it. */
static void test_holders(void)
{
	uint32_t one = strings_hold("one", 3, STRINGS_OTHER);
	CHECK_EQUAL(strings_hold("one", 3, STRINGS_KERNELS), one);
	CHECK_EQUAL(strings_hold_again(one), one);
	for (int i = 0; i < 2; i++) {
		strings_drop(one);
		CHECK(strings_hold("two", 3, STRINGS_OTHER) != one);
	}
	strings_drop(one);
	CHECK_EQUAL(strings_hold("ten", 3, STRINGS_OTHER), one);
	uint32_t good = strings_intern_z("for good");
	strings_drop(good);
	CHECK_EQUAL(strings_hold("for good", 8, STRINGS_OTHER), good);
	strings_drop(0);
	CHECK_EQUAL(strings_hold_again(0), 0);
}

/* FNV-1a, as in strings.c. */
static uint32_t hash_of(const char *text)
{
	uint32_t hash = 2166136261u;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	return hash;
}

enum { N_NEIGHBOURS = 4, SLOT_BITS = 0xffff };

/* Find texts that belong in one slot of the hash table, and hold each. */
static void hold_neighbours(char texts[N_NEIGHBOURS][16], uint32_t ids[N_NEIGHBOURS])
{
	uint32_t slot = 0;
	int n = 0;
	for (unsigned number = 0; n < N_NEIGHBOURS; number++) {
		int length = snprintf(texts[n], sizeof(texts[n]), "n%u", number);
		uint32_t own = hash_of(texts[n]) & SLOT_BITS;
		if (n && own != slot)
			continue;
		slot = own;
		ids[n] = strings_hold(texts[n], (size_t)length, STRINGS_OTHER);
		n++;
	}
}

/* Texts of one slot are found after any of them has been dropped. */
static void test_neighbours(void)
{
	char texts[N_NEIGHBOURS][16];
	uint32_t ids[N_NEIGHBOURS];
	hold_neighbours(texts, ids);
	for (int dropped = 0; dropped < N_NEIGHBOURS; dropped++) {
		strings_drop(ids[dropped]);
		for (int i = 0; i < N_NEIGHBOURS; i++) {
			if (i == dropped)
				continue;
			CHECK_EQUAL(strings_hold(texts[i], strlen(texts[i]), STRINGS_OTHER),
				    ids[i]);
			strings_drop(ids[i]);
		}
		ids[dropped] = strings_hold(texts[dropped], strlen(texts[dropped]), STRINGS_OTHER);
	}
}

/* Add nodes in one chain. Each says its own id. */
static uint32_t append_node(uint32_t parent)
{
	struct table *table = &tables[JOURNAL_STACKS];
	struct stack_row row = {.parent = parent, .offset = table->header->n_rows + 1};
	return table_append(table, &row, 1);
}

static void check_nodes(const struct bundle_view *view, uint32_t newest)
{
	for (uint32_t id = 1; id <= newest; id++) {
		const struct stack_row *row = view_stack(view, id);
		CHECK(!row || row->offset == id);
		/* One row may be another's the next moment. */
		CHECK_EQUAL(row != NULL, newest <= N_ROWS || id + N_ROWS > newest + 1);
	}
	for (uint32_t place = 1; place <= N_ROWS; place++) {
		uint32_t id = view_id_at(view, JOURNAL_STACKS, place);
		CHECK(!id || ((id - 1) % N_ROWS == place - 1 && view_stack(view, id)));
	}
	uint32_t frames[2 * N_ROWS];
	CHECK_EQUAL(view_stack_frames(view, newest, frames, 2 * N_ROWS),
		    newest <= N_ROWS ? newest : N_ROWS - 1);
	CHECK_EQUAL(view_stack_end(view, newest), newest <= N_ROWS ? 0 : STACK_END_GONE);
	CHECK(!view_stack(view, newest + 1));
}

/* A full table's first row is rewritten before the new row is published. */
static void check_first_turn(struct table *table)
{
	static struct bundle_view view;
	table_note_reuse(table);
	view = view_now();
	CHECK(!view_stack(&view, 1) && view_stack(&view, 2)->offset == 2);
	CHECK_EQUAL(view_stack_end(&view, N_ROWS), STACK_END_GONE);
	table->header->n_reused = 0;
}

static void test_turning(void)
{
	static struct bundle_view view;
	struct table *table = &tables[JOURNAL_STACKS];
	uint32_t newest = 0;
	CHECK_EQUAL(table_open(table, NULL, JOURNAL_STACKS, sizeof(struct stack_row), N_ROWS), 0);
	table->is_turning = true;
	for (int i = 1; i <= 5 * N_ROWS; i++) {
		newest = append_node(newest);
		CHECK_EQUAL(newest, i);
		CHECK_EQUAL(table_half_turns(table), i / (N_ROWS / 2));
		view = view_now();
		check_nodes(&view, newest);
		if (i == N_ROWS)
			check_first_turn(table);
	}
	CHECK_EQUAL(table->header->n_reused, 4 * N_ROWS);
	CHECK_EQUAL(table->header->lost, 0);
	row_uses_freeze();
	CHECK_EQUAL(append_node(newest), 0);
	CHECK_EQUAL(table->header->lost, 0);
	view = view_now();
	CHECK_EQUAL(view_stack(&view, newest)->offset, newest);
}

/* Chains reuse the places of older rows one by one, and stop where the failure keeps them. */
static void test_chains(void)
{
	enum { N = 3 };
	static struct bundle_view view;
	struct table *table = &tables[JOURNAL_STACKS];
	uint32_t newest = 0;
	CHECK_EQUAL(table_open(table, NULL, JOURNAL_STACKS, sizeof(struct stack_row), N_ROWS), 0);
	table->is_turning = true;
	for (uint32_t i = 0; i < 4 * N_ROWS; i += N) {
		struct stack_row rows[N] = {
			{.offset = i + 1}, {.offset = i + 2}, {.offset = i + 3}};
		uint32_t first = 0;
		CHECK_EQUAL(table_append_chain(table, rows, N, offsetof(struct stack_row, parent),
					       newest, &first),
			    N);
		CHECK_EQUAL(first, i + 1);
		newest = first + N - 1;
		view = view_now();
		check_nodes(&view, newest);
	}
	row_uses_freeze();
	struct stack_row row = {0};
	uint32_t first = 0;
	CHECK_EQUAL(table_append_chain(table, &row, 1, offsetof(struct stack_row, parent), newest,
				       &first),
		    0);
	CHECK_EQUAL(first, 0);
}

/* Run each test in a process of its own, because the recorder's state is static. */
static void run(void (*test)(void))
{
	pid_t pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		CHECK_EQUAL(table_open(&tables[JOURNAL_FUNCTIONS], NULL, JOURNAL_FUNCTIONS,
				       sizeof(struct function_row), N_ROWS),
			    0);
		CHECK_EQUAL(table_open(&tables[JOURNAL_STRINGS], NULL, JOURNAL_STRINGS,
				       sizeof(struct string_row), N_STRING_ROWS),
			    0);
		test();
		exit(0);
	}
	int status = 0;
	CHECK_EQUAL(waitpid(pid, &status, 0), pid);
	CHECK_EQUAL(status, 0);
}

int main(void)
{
	run(test_old_ids_are_none);
	run(test_uses_end);
	run(test_kernels_have_room);
	run(test_holders);
	run(test_neighbours);
	run(test_turning);
	run(test_chains);
	run(test_threads);
	return 0;
}
