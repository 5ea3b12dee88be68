/*
 * test_retired.c - the list of a context's retired streams: which row is reused, and what is left
 * of the stream that had it.
 */
#include "record/streams/retired.h"

#include "record/driver/coredumps.h"
#include "record/streams/contexts.h"
#include "record/streams/markers.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { N_STREAMS = 10, SUBMITTED = 5 };

static struct context context;
static struct stream streams[N_STREAMS];
static struct stream_row rows[N_STREAMS];
static uint64_t marked; /* by each stream's newest marker that has landed */
static int n_locks;
bool coredumps_watched;

uint64_t streams_submitted(const struct stream *stream)
{
	return stream->row->submitted;
}

uint64_t markers_landed(const struct stream *stream)
{
	(void)stream;
	return marked;
}

void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t by)
{
	CHECK_EQUAL(by, 0);
	row->synced = ordinal;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_lock(pthread_mutex_t *lock)
{
	CHECK(lock == &context.lock && n_locks % 2 == 0);
	n_locks++;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *lock)
{
	CHECK(lock == &context.lock && n_locks % 2 == 1);
	n_locks++;
	return 0;
}

static void start(void)
{
	context = (struct context){.retired = NULL};
	marked = 0;
	coredumps_watched = false;
	for (int i = 0; i < N_STREAMS; i++) {
		rows[i] = (struct stream_row){.submitted = SUBMITTED};
		streams[i] = (struct stream){.row = &rows[i]};
		retired_add(&context, &streams[i]);
	}
}

/* Check the list: these streams, in this order. */
static void check_list(const char *expected)
{
	struct stream *stream = context.retired;
	for (; *expected; expected++) {
		CHECK(stream == &streams[*expected - '0'] && stream->is_retired);
		if (!expected[1])
			CHECK(context.newest_retired == stream && !stream->next_retired);
		stream = stream->next_retired;
	}
	CHECK(!stream);
}

/* The oldest stream comes first. A search looks at eight, and moves those without proof to the end.
 */
static void test_take(void)
{
	start();
	check_list("0123456789");
	CHECK(!retired_take(&context));
	check_list("8901234567");
	rows[9].synced = rows[1].synced = SUBMITTED;
	CHECK(retired_take(&context) == &streams[9] && !streams[9].is_retired);
	check_list("012345678");
	CHECK(retired_take(&context) == &streams[1]);
	check_list("23456780");
	marked = SUBMITTED;
	for (const char *next = "23456780"; *next; next++)
		CHECK(retired_take(&context) == &streams[*next - '0']);
	CHECK(!retired_take(&context));
	check_list("");
	CHECK_EQUAL(n_locks, 2 * 12);
}

/* A marker proves that work is finished, unless it may have landed after a fault. */
static void test_finished(void)
{
	start();
	CHECK(!retired_is_finished(&streams[0]));
	marked = SUBMITTED - 1;
	rows[0].synced = SUBMITTED - 1;
	CHECK(!retired_is_finished(&streams[0]));
	marked = SUBMITTED;
	CHECK(retired_is_finished(&streams[0]));
	coredumps_watched = true;
	CHECK(!retired_is_finished(&streams[0]));
	rows[0].synced = SUBMITTED;
	CHECK(retired_is_finished(&streams[0]));
}

/* Only the row's counts and the stream's identity are left. */
static void test_lay_down(void)
{
	static volatile uint32_t word;
	static const uint32_t kinds[] = {STREAM_EXPLICIT, STREAM_PER_THREAD};
	for (int i = 0; i < 2; i++) {
		start();
		context.retired = NULL;
		rows[i] = (struct stream_row){
			.submitted = SUBMITTED, .synced = 2, .side = 3, .kind = (uint8_t)kinds[i]};
		streams[i] = (struct stream){.row = &rows[i],
					     .word = &word,
					     .event = (void *)0x10,
					     .side = (void *)0x20,
					     .marked_ns = 7,
					     .quiet_until_ns = 8,
					     .marked = 4,
					     .probe = 4,
					     .is_behind = true};
		retired_lay_down(&context, &streams[i]);
		CHECK(rows[i].synced == SUBMITTED && rows[i].before == SUBMITTED && !rows[i].side);
		CHECK(!streams[i].word && !streams[i].event && !streams[i].side);
		CHECK(!streams[i].marked_ns && !streams[i].quiet_until_ns && !streams[i].probe);
		CHECK(streams[i].marked == SUBMITTED && !streams[i].is_behind);
		check_list(i == 0 ? "0" : "");
		retired_lay_down(&context, &streams[i]);
		check_list(i == 0 ? "0" : "");
	}
}

/* After the failure no row is reused. It lasts, so this is the last case. */
static void test_frozen(void)
{
	start();
	marked = SUBMITTED;
	CHECK(!retired_are_frozen() && retired_take(&context));
	retired_freeze();
	CHECK(retired_are_frozen() && !retired_take(&context));
	check_list("123456789");
}

int main(void)
{
	test_take();
	test_finished();
	test_lay_down();
	test_frozen();
	return 0;
}
