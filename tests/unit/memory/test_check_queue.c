/*
 * test_check_queue.c - which checks wait for their answers, which rows are written of them, and
 * when checking stops. Each test has a queue of its own, in a process of its own.
 */
#include "inspect/check_queue.h"

#include "record/host/reserve.h"
#include "record/journal/bundle.h"
#include "support/check.h"

enum { QUEUE_LENGTH = 512, MAX_QUEUES = 64, CONTEXT = 0x10 };
#define CHECKED(number) ((struct check_context *)(uintptr_t)(number))

static struct check_entry memory[2][QUEUE_LENGTH];
static unsigned n_reserved, n_slots, max_slots = 4 * QUEUE_LENGTH;
static struct check_answer before, after; /* of all checks */
static struct table *const table = (struct table *)(uintptr_t)0x77;
static int table_error, n_held;
static bool is_table_full, has_memory = true, is_end_possible = true;

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	n_held++;
	return 0;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	n_held += is_end_possible;
	return !is_end_possible;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	CHECK(mutex);
	CHECK(n_held-- > 0);
	return 0;
}

bool check_lock_at_end(pthread_mutex_t *lock)
{
	CHECK(lock);
	n_held += is_end_possible;
	return is_end_possible;
}

void *reserve_memory(size_t size)
{
	CHECK_EQUAL(size, sizeof(memory[0]));
	CHECK_EQUAL(n_held, 0);
	return has_memory && n_reserved < 2 ? memory[n_reserved++] : NULL;
}

bool check_take_slots(struct check_context *context, size_t n, struct check_slot *out)
{
	CHECK(context && n == 2 && n_held == 0);
	if (n_slots + n > max_slots)
		return false;
	n_slots += 2;
	out[0].answer = &before;
	out[1].answer = &after;
	return true;
}

void bundle_ensure(void)
{
	trace_add("ensure\n");
}

int bundle_open_late(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CHECKS);
	trace_add("open\n");
	return table_error;
}

struct table *bundle_table(enum journal_file kind)
{
	CHECK_EQUAL(kind, JOURNAL_CHECKS);
	return table;
}

void table_count_lost(struct table *of)
{
	CHECK(of == table);
	trace_add("lost\n");
}

uint32_t table_append(struct table *to, const void *rows, uint32_t n_rows)
{
	const struct check_row *row = rows;
	CHECK(to == table);
	CHECK_EQUAL(n_held, 1);
	for (uint32_t i = 0; i < n_rows; i++, row++) {
		trace_add("#%" PRIu64 " %" PRIx64 "+%" PRIu64 " of %" PRIu64 " %" PRIx64 "+%" PRIu64
			  " parameter %u+%u",
			  row->sequence, row->address, row->bytes, row->number, row->start,
			  row->size, row->parameter, row->offset);
		trace_add(" row %u of %u flags %u nan %" PRIu64 " %" PRIu64 "\n", row->index,
			  row->n_rows, row->flags, row->before.n_nan, row->after.n_nan);
	}
	return is_table_full ? 0 : 1;
}

static struct check_entry *take(unsigned context)
{
	struct check_entry *entry = check_queue_take(CHECKED(context));
	CHECK_EQUAL(n_held, 0);
	return entry;
}

/* Take the next entry, with two ranges of which the first is checked in part. */
static struct check_entry *take_entry(unsigned wishes)
{
	struct check_entry *entry = take(CONTEXT);
	CHECK(entry && entry->context == CHECKED(CONTEXT));
	CHECK_EQUAL(entry->state, 1); /* taken */
	entry->wishes = wishes;
	entry->n_ranges = 2;
	entry->n_before = entry->n_after = 1;
	entry->launch = (struct check_row){.sequence = 5};
	entry->ranges[0] = (struct argument_range){.address = 0x100,
						   .bytes = 9,
						   .start = 0xf0,
						   .size = 40,
						   .number = 3,
						   .parameter = 1,
						   .offset = 8};
	entry->ranges[1] = entry->ranges[0];
	entry->asked[0].bytes = 8;
	entry->asked[1].bytes = 9;
	return entry;
}

static void write_queues(bool is_end)
{
	check_queue_write(is_end);
	CHECK_EQUAL(n_held, 0);
}

/* Let both checks have run, with these numbers of NaN and infinities in the second range. */
static void answer(uint64_t nan_before, uint64_t nan_after, uint64_t infinite)
{
	before.run = after.run = 1;
	before.newest[1].n_nan = nan_before;
	after.newest[1].n_nan = nan_after;
	before.newest[1].n_infinite = infinite;
	before.newest[2].n_nan = 9; /* of a range that another check had */
}

static void run(unsigned wishes)
{
	check_queue_put(take_entry(wishes), true);
	write_queues(false);
}

#define OPENED "ensure\nopen\n"
#define ROW(row, bytes, flags, nan)                                                              \
	"#5 100+" #bytes " of 3 f0+40 parameter 1+8 row " #row " of 2 flags " #flags " nan " nan \
	"\n"
#define ROWS(cut, whole, nan) ROW(0, 8, cut, "0 0") ROW(1, 9, whole, nan)

static void test_rows(void)
{
	check_queue_start(false);
	check_queue_prepare(CHECKED(CONTEXT));
	CHECK_TRACE(OPENED);
	answer(0, 0, 0);
	run(CHECK_WISH_INSPECT);
	CHECK_TRACE(ROWS(7, 5, "0 0"));
	run(CHECK_WISH_CHECKSUMS | CHECK_WISH_NAN);
	CHECK_TRACE(ROWS(6, 4, "0 0"));
	run(CHECK_WISH_NAN);
	CHECK_TRACE("");
	answer(2, 0, 0);
	run(CHECK_WISH_NAN);
	CHECK_TRACE(ROWS(22, 20, "2 0"));
	answer(0, 2, 0);
	run(CHECK_WISH_NAN);
	CHECK_TRACE(ROWS(22, 20, "0 2"));
	answer(0, 0, 2);
	run(CHECK_WISH_NAN);
	CHECK_TRACE("");
	before.newest[0].n_nan = 3;
	run(CHECK_WISH_NAN);
	CHECK_TRACE(ROW(0, 8, 22, "3 0") ROW(1, 9, 20, "0 0"));
	CHECK(!check_queue_is_done());
}

static void test_infinities(void)
{
	check_queue_start(true);
	answer(0, 0, 2);
	run(CHECK_WISH_NAN);
	CHECK_TRACE(OPENED ROWS(30, 28, "0 0"));
}

/* An entry waits for its own checks, and for the entries before it. */
static void test_waiting(void)
{
	struct check_entry *first = take_entry(CHECK_WISH_INSPECT);
	struct check_entry *second = take_entry(CHECK_WISH_INSPECT);
	CHECK(second == first + 1);
	check_queue_put(second, true);
	second->n_before = second->n_after = 0;
	write_queues(false);
	check_queue_put(first, true);
	write_queues(false);
	after.run = 1;
	write_queues(false);
	after.run = 0;
	before.run = 1;
	write_queues(false);
	CHECK_TRACE(OPENED);
	after.run = 1;
	is_end_possible = false;
	write_queues(false);
	CHECK_TRACE("");
	is_end_possible = true;
	write_queues(false);
	CHECK_TRACE(ROWS(7, 5, "0 0") ROWS(7, 5, "0 0"));
	CHECK(first->state == 0 && second->state == 0);
	check_queue_put(take_entry(CHECK_WISH_INSPECT), false);
	write_queues(false);
	write_queues(false);
	CHECK_TRACE("");
}

/* At the end, entries are written without the answers that are missing. */
static void test_end(void)
{
	struct check_entry *taken = take_entry(CHECK_WISH_INSPECT);
	(void)trace_take();
	check_queue_put(take_entry(CHECK_WISH_INSPECT), true);
	check_queue_put(take_entry(CHECK_WISH_NAN), true); /* its answer is not odd yet */
	before.run = 1;
	after.newest[1].n_nan = 4;
	write_queues(false);
	CHECK_TRACE("");
	is_end_possible = false;
	write_queues(true);
	CHECK_TRACE("");
	CHECK(check_queue_is_done());
	is_end_possible = true;
	write_queues(true);
	CHECK_TRACE(ROWS(3, 1, "0 0"));
	CHECK_EQUAL(taken->state, 0);
	CHECK(!take(CONTEXT));
	write_queues(true);
	CHECK_TRACE("");
}

static void test_unanswered(void)
{
	struct check_entry *entry = take_entry(CHECK_WISH_INSPECT);
	entry->n_before = entry->n_after = 0;
	check_queue_put(entry, false);
	write_queues(false);
	CHECK_EQUAL(entry->state, 0);
	check_queue_put(take_entry(CHECK_WISH_INSPECT), true);
	write_queues(true);
	CHECK_TRACE(OPENED);
}

/* With --nan alone the rows are few, and an odd check that has not run does not count. */
static void test_odd_limit(void)
{
	answer(1, 0, 0);
	for (unsigned i = 0; i < CHECK_ODD_ROWS_MAX / 2 - 1; i++)
		run(CHECK_WISH_NAN);
	run(CHECK_WISH_INSPECT);
	CHECK(!check_queue_is_done());
	run(CHECK_WISH_NAN);
	CHECK(check_queue_is_done());
	(void)trace_take();
}

static void test_full_table(void)
{
	is_table_full = true;
	answer(0, 0, 0);
	run(CHECK_WISH_INSPECT);
	CHECK(check_queue_is_done());
	CHECK(!take(CONTEXT));
	(void)trace_take();
}

static void test_no_table(void)
{
	table_error = -1;
	CHECK(!take(CONTEXT));
	CHECK(check_queue_is_done());
	CHECK_TRACE(OPENED);
}

static void test_full_queue(void)
{
	answer(0, 0, 0);
	for (unsigned i = 0; i < QUEUE_LENGTH; i++)
		check_queue_put(take_entry(CHECK_WISH_INSPECT), false);
	CHECK_TRACE(OPENED);
	CHECK(!take(CONTEXT));
	CHECK_TRACE("lost\n");
	CHECK(take(CONTEXT + 1));
	write_queues(false);
	CHECK(take(CONTEXT) == memory[0]);
	CHECK_TRACE("");
}

/* Contexts without memory have queues as well, so that they are asked once. */
static void test_no_memory(void)
{
	max_slots = 2 * QUEUE_LENGTH + 2;
	CHECK(take(CONTEXT));
	CHECK(!take(CONTEXT + 1));
	CHECK(!take(CONTEXT + 1));
	CHECK_EQUAL(n_reserved, 2);
	CHECK_TRACE(OPENED "lost\nlost\n");
	for (unsigned i = 2; i < MAX_QUEUES; i++)
		CHECK(!take(CONTEXT + i));
	n_reserved = 1;
	max_slots = 8 * QUEUE_LENGTH;
	CHECK(!take(CONTEXT + MAX_QUEUES - 1));
	CHECK(!take(CONTEXT + MAX_QUEUES));
	CHECK(take(CONTEXT));
	write_queues(true);
	(void)trace_take();
}

int main(void)
{
	static void (*const tests[])(void) = {
		test_rows,       test_infinities, test_waiting,    test_end,       test_odd_limit,
		test_full_table, test_no_table,   test_full_queue, test_no_memory, test_unanswered};
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		check_in_child(tests[i]);
	return 0;
}
