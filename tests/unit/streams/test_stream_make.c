/*
 * test_stream_make.c - the memory of a destroyed stream serves another one: it is followed again,
 * and its numbers go on. The driver and the recorder's other parts are simulated here.
 */

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/streams/contexts.h"
#include "record/streams/retired.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { TID = 100, HANDLE = 0x50 };

struct driver real;
int captures_under_way;

static struct stream_row row;
static struct stream old;
static struct context context = {.id = 2};
static bool is_fresh; /* no stream is retired */
static bool is_stuck; /* another thread holds the old stream's lock */
static uint32_t n_started, n_given_up;

static CUresult get_flags(CUstream stream, unsigned int *out)
{
	CHECK_EQUAL((uintptr_t)stream, HANDLE);
	*out = CU_STREAM_NON_BLOCKING;
	return CUDA_SUCCESS;
}

static CUresult get_priority(CUstream stream, int *out)
{
	CHECK_EQUAL((uintptr_t)stream, HANDLE);
	*out = -3;
	return CUDA_SUCCESS;
}

bool captures_ask(CUstream stream)
{
	(void)stream;
	return false;
}

struct stream *retired_take(struct context *of)
{
	CHECK(of == &context);
	return is_fresh ? NULL : &old;
}

struct stream *stream_rows_make(struct context *of)
{
	CHECK(is_fresh && of == &context);
	old.n_lives = 0;
	return &old;
}

bool streams_lock_slowly(struct stream *stream, uint32_t tid)
{
	CHECK(is_stuck && stream == &old && tid);
	return false;
}

void futex_lock_release_slowly(struct futex_lock *lock, uint32_t owner)
{
	CHECK(!lock && owner);
}

/* Whoever submits to the stream from now on finds it living. */
void progress_tracker_start(struct progress_tracker *tracker, const struct progress_tracker *stream)
{
	CHECK(tracker == &old.progress && stream->channels == &context.progress);
	CHECK_EQUAL(stream->handle, HANDLE);
	CHECK(futex_lock_owner(&old.lock) && !old.is_ended);
	n_started++;
}

void progress_tracker_give_up(struct progress_tracker *tracker)
{
	CHECK(tracker == &old.progress);
	n_given_up++;
}

void streams_finished(struct stream_row *of, uint64_t ordinal, uint32_t call)
{
	CHECK(of == &row && !call);
	CHECK_EQUAL(ordinal, row.submitted);
}

/* The old stream was given so many submissions. */
static void make(uint64_t n_submitted)
{
	n_started = n_given_up = 0;
	row = (struct stream_row){.submitted = n_submitted, .destroyed_ns = 5};
	old = (struct stream){
		.id = 1, .row = &row, .context = &context, .is_ended = true, .n_lives = 1};
	if (is_stuck)
		CHECK(futex_lock_try(&old.lock, TID + 1));
	CHECK(stream_make(&context, (CUstream)HANDLE, STREAM_EXPLICIT, TID) == &old);
	CHECK_EQUAL(old.n_lives, is_fresh ? 1 : 2);
	CHECK_EQUAL(row.destroyed_ns, 0);
}

static void test_used_again(void)
{
	make(7);
	CHECK_EQUAL(n_started, 1);
	CHECK_EQUAL(futex_lock_owner(&old.lock), 0);
	CHECK_EQUAL(row.before, 7);
	CHECK_EQUAL(row.tid, TID);
	CHECK_EQUAL(row.handle, HANDLE);
	CHECK_EQUAL(row.context, 2);
	CHECK_EQUAL(row.priority, -3);
	CHECK_EQUAL(row.flags, STREAM_NON_BLOCKING);
	make(0); /* a wait of the old stream may name its number 0 */
	CHECK_EQUAL(row.submitted, 1);
	CHECK_EQUAL(row.before, 1);
}

/* No wait can name an earlier stream of the row. */
static void test_new_row(void)
{
	is_fresh = true;
	make(0);
	CHECK_EQUAL(row.submitted, 0);
	CHECK_EQUAL(row.before, 0);
	is_fresh = false;
}

/* A thread on its way in the old stream may hold the lock. */
static void test_stuck(void)
{
	is_stuck = true;
	make(7);
	CHECK_EQUAL(n_started, 0);
	CHECK_EQUAL(n_given_up, 1);
	is_stuck = false;
}

int main(void)
{
	real.cuStreamGetFlags = get_flags;
	real.cuStreamGetPriority = get_priority;
	test_used_again();
	test_new_row();
	test_stuck();
	return 0;
}
