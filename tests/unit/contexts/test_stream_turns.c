/*
 * test_stream_turns.c - how long a thread waits for its turn at a stream, what it does to the order
 * of a thread that it overtakes, and what is left of one that never comes back. The lock's slow
 * path and the tracker are simulated and traced.
 */
#include "base/journal_format.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_lock.h"
#include "support/check.h"

enum { SELF = 1, OTHER = 2, THIRD = 3, N_STREAMS = 4, SUBMITTED = 7 };

static struct stream streams[N_STREAMS]; /* two for each context; the last one has no id */
static struct stream *const stream = &streams[1];
static struct stream_row rows[N_STREAMS];
static struct journal_record record;

static bool gets_lock;       /* a thread that waits for it */
static bool loses_place;     /* by a thread that overtakes it meanwhile */
static bool is_aside;        /* the tracker ignores the counters */
static bool is_beside_again; /* a thread, as soon as they are followed */

bool futex_lock_wait(struct futex_lock *lock, uint32_t owner, uint64_t timeout_ns)
{
	trace_add("wait %" PRIu64 "\n", timeout_ns);
	if (loses_place)
		stream->open = NULL;
	if (gets_lock)
		lock->state = owner | (lock->state & FUTEX_LOCK_NOTED);
	return gets_lock;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK_EQUAL(futex_lock_owner(lock), owner);
	lock->state &= FUTEX_LOCK_NOTED;
}

void futex_lock_note(struct futex_lock *lock, bool is_noted)
{
	trace_add("note %d\n", is_noted);
	lock->state = (lock->state & FUTEX_LOCK_OWNER) | (is_noted ? FUTEX_LOCK_NOTED : 0);
}

void progress_tracker_set_aside(struct progress_tracker *tracker)
{
	CHECK(tracker);
	trace_add("aside\n");
	is_aside = true;
}

void progress_tracker_follow_again(struct progress_tracker *tracker)
{
	CHECK(tracker);
	trace_add("again\n");
	is_aside = false;
	stream->n_beside += is_beside_again;
}

bool progress_tracker_is_aside(const struct progress_tracker *tracker)
{
	CHECK(tracker);
	return is_aside;
}

void contexts_for_each(void (*visit)(struct context *context, void *data), void *data)
{
	static struct context contexts[2];
	for (int i = 0; i < 2; i++) {
		streams[2 * i].context = streams[2 * i + 1].context = &contexts[i];
		visit(&contexts[i], data);
	}
}

void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data)
{
	for (int i = 0; i < N_STREAMS; i++)
		if (streams[i].context == context)
			visit(&streams[i], data);
}

void streams_note_lost(void)
{
	trace_add("lost\n");
}

static void start(uint32_t state)
{
	(void)trace_take();
	for (uint32_t i = 0; i < N_STREAMS; i++) {
		rows[i] = (struct stream_row){.submitted = SUBMITTED};
		streams[i] = (struct stream){.id = i + 1 < N_STREAMS ? i + 1 : 0, .row = &rows[i]};
	}
	stream->lock.state = state;
	record = (struct journal_record){.kind = RECORD_SUBMISSION,
					 .stream = stream->id,
					 .ordinal = SUBMITTED + 1,
					 .result = RESULT_PENDING};
	gets_lock = true;
	loses_place = is_aside = is_beside_again = false;
}

static void check_order(bool is_kept)
{
	CHECK_EQUAL(record.ordinal, is_kept ? SUBMITTED + 1 : 0);
	CHECK_EQUAL(record.progress.behind, is_kept ? 0 : SUBMITTED);
	CHECK_EQUAL(record.flags, is_kept ? 0 : RECORD_UNORDERED);
	CHECK_EQUAL(stream->row->flags, is_kept ? 0 : STREAM_UNORDERED);
}

/* A thread waits for a holder once; then no thread waits until that holder has let go. */
static void test_patience(void)
{
	start(0);
	CHECK(streams_lock(stream, SELF) && futex_lock_owner(&stream->lock) == SELF);
	CHECK_TRACE("");
	start(OTHER);
	gets_lock = false;
	CHECK(!streams_lock(stream, SELF) && stream->stuck_with == OTHER);
	CHECK(!streams_lock(stream, SELF) && stream->stuck_with == OTHER);
	CHECK_TRACE("wait 100000000\nwait 0\n");
	stream->lock.state = THIRD;
	CHECK(!streams_lock(stream, SELF) && stream->stuck_with == THIRD);
	CHECK_TRACE("wait 100000000\n");
	gets_lock = true;
	CHECK(streams_lock(stream, SELF) && stream->stuck_with == 0);
	CHECK_TRACE("wait 0\nnote 0\n");
	start(FUTEX_LOCK_NOTED);
	CHECK(streams_lock(stream, SELF));
	CHECK_TRACE("wait 100000000\nnote 0\n");
	start(OTHER);
	gets_lock = false;
	CHECK(!streams_lock_after(stream, SELF, 400) && stream->stuck_with == 0);
	CHECK(!streams_lock_after(stream, SELF, 399996) && stream->stuck_with == 0);
	CHECK(!streams_lock_after(stream, SELF, 400004) && stream->stuck_with == 0);
	CHECK_TRACE("wait 100\nwait 99999\nwait 100000\n");
	start(0);
	CHECK(streams_lock_after(stream, SELF, 400));
	CHECK_TRACE("");
}

/* A record in the driver without the lock loses its order, once. */
static void test_overtaken(void)
{
	start(OTHER);
	stream->open = &record;
	CHECK(streams_lock(stream, SELF) && !stream->open && stream->n_beside == 1);
	CHECK_TRACE("wait 100000000\nnote 0\naside\n");
	check_order(false);
	start(OTHER);
	stream->open = &record;
	record.flags = RECORD_UNORDERED;
	CHECK(streams_lock(stream, SELF));
	CHECK(record.ordinal == 0 && record.progress.behind == 0);
	start(OTHER);
	stream->open = &record;
	record.ordinal = 0;
	CHECK(streams_lock(stream, SELF));
	CHECK(record.flags == RECORD_UNORDERED && record.progress.behind == 0);
	start(OTHER);
	gets_lock = false;
	stream->open = &record;
	CHECK(!streams_lock(stream, SELF) && stream->open == &record && stream->n_beside == 0);
	check_order(true);
}

static void test_open(void)
{
	start(SELF);
	streams_open(stream, SELF, &record);
	CHECK(stream->open == &record && stream->lock.state == FUTEX_LOCK_NOTED);
	CHECK(streams_close(stream, SELF, &record) && stream->lock.state == SELF);
	CHECK(!stream->open && stream->n_beside == 0);
	CHECK_TRACE("note 1\nwait 100000000\nnote 0\n");
	check_order(true);
	start(SELF);
	streams_open(stream, SELF, NULL);
	CHECK(!stream->open && stream->lock.state == 0);
	CHECK_TRACE("");
	CHECK(!streams_close(stream, SELF, NULL) && stream->n_beside == 1);
	CHECK_TRACE("aside\n");
	CHECK_EQUAL(stream->row->flags, STREAM_UNORDERED);
	streams_came_back(stream);
	CHECK_EQUAL(stream->n_beside, 0);
}

/* The order is also lost if the lock is not free again, or was taken meanwhile. */
static void test_closed_late(void)
{
	start(OTHER);
	stream->open = &record;
	gets_lock = false;
	CHECK(!streams_close(stream, SELF, &record) && !stream->open && stream->n_beside == 1);
	CHECK(stream->lock.state == OTHER && stream->stuck_with == OTHER);
	CHECK_TRACE("wait 100000000\naside\n");
	check_order(false);
	start(0);
	stream->open = &record;
	loses_place = true;
	CHECK(!streams_close(stream, SELF, &record) && stream->n_beside == 0);
	CHECK_EQUAL(stream->lock.state, 0);
	CHECK_TRACE("wait 100000000\naside\n");
	check_order(false);
	start(0);
	CHECK(!streams_close(stream, SELF, &record) && stream->n_beside == 0);
	CHECK_TRACE("aside\n");
	check_order(false);
}

static void test_followed_again(void)
{
	start(SELF);
	CHECK(streams_pass(stream) == SUBMITTED && stream->n_beside == 1);
	CHECK_EQUAL(stream->row->flags, STREAM_UNORDERED);
	CHECK_TRACE("aside\n");
	streams_follow_again(stream);
	CHECK_TRACE("");
	streams_came_back(stream);
	CHECK_EQUAL(streams_number_late(stream, &record), SUBMITTED + 1);
	CHECK(record.ordinal == SUBMITTED + 1 && stream->row->submitted == SUBMITTED + 1);
	CHECK_TRACE("again\n");
	streams_follow_again(stream);
	CHECK_TRACE("");
	is_aside = is_beside_again = true;
	streams_follow_again(stream);
	CHECK_TRACE("again\naside\n");
}

/* A thread does not come back: settle its submission, and release what it holds. */
static void test_left(void)
{
	start(SELF);
	streams[2].lock.state = SELF;
	streams[3].lock.state = OTHER;
	stream->open = &record;
	streams_left(SELF, &record);
	CHECK(!stream->lock.state && !streams[2].lock.state && streams[3].lock.state == OTHER);
	CHECK_TRACE("aside\nagain\n");
	CHECK(!stream->open && stream->row->submitted == SUBMITTED + 1);
	CHECK(record.ordinal == SUBMITTED + 1 && record.flags == RECORD_UNORDERED);
	CHECK(rows[0].submitted == SUBMITTED && rows[2].submitted == SUBMITTED);
	start(0);
	streams_left(SELF, &record);
	CHECK_TRACE("aside\nagain\n");
	CHECK(stream->lock.state == 0 && stream->row->submitted == SUBMITTED + 1);
	/* It was accepted. */
	start(SELF);
	record.ordinal = SUBMITTED;
	streams_left(SELF, &record);
	CHECK_TRACE("");
	CHECK(record.ordinal == SUBMITTED && stream->row->submitted == SUBMITTED);
	CHECK_EQUAL(stream->lock.state, 0);
	start(SELF);
	record.ordinal = 0;
	streams_left(SELF, &record);
	CHECK_EQUAL(record.ordinal, SUBMITTED + 1);
	/* Another thread holds the stream. */
	start(OTHER);
	gets_lock = false;
	record.ordinal = SUBMITTED;
	streams_left(SELF, &record);
	CHECK_TRACE("wait 100000000\naside\nlost\n");
	CHECK(record.ordinal == 0 && stream->row->submitted == SUBMITTED);
	CHECK_EQUAL(stream->lock.state, OTHER);
}

static const char *leave(void)
{
	streams_left(SELF, &record);
	CHECK_EQUAL(stream->row->submitted, SUBMITTED);
	return trace_take();
}

static void test_left_unknown(void)
{
	start(0);
	record.stream = 0;
	CHECK_STRING(leave(), "lost\n");
	record.stream = 99;
	CHECK_STRING(leave(), "lost\n");
	start(0);
	record.kind = RECORD_SYNC;
	CHECK_STRING(leave(), "");
	start(0);
	record.result = CUDA_ERROR_INVALID_VALUE;
	CHECK_STRING(leave(), "");
	streams_left(SELF, NULL);
	CHECK_TRACE("");
}

int main(void)
{
	test_patience();
	test_overtaken();
	test_open();
	test_closed_late();
	test_followed_again();
	test_left();
	test_left_unknown();
	return 0;
}
