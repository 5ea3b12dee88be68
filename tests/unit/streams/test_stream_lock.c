/*
 * Unit tests of a stream's lock: what happens to the order of a copy that is at the driver without
 * the lock when another thread comes between, before the failure and after it.
 */
#include <stddef.h>

#include "base/journal_format.h"
#include "record/progress/progress_tracker.h"
#include "record/streams/contexts.h"
#include "record/streams/stream_lock.h"
#include "support/check.h"

enum { COPIER = 1, OTHER = 2, SUBMITTED = 7, OWN = SUBMITTED + 1 };

static unsigned n_set_aside, n_followed_again;
static struct stream *known; /* all streams that there are; NULL: none */

void progress_tracker_set_aside(struct progress_tracker *tracker)
{
	(void)tracker;
	n_set_aside++;
}

void progress_tracker_follow_again(struct progress_tracker *tracker)
{
	(void)tracker;
	n_followed_again++;
}

bool progress_tracker_is_aside(const struct progress_tracker *tracker)
{
	(void)tracker;
	return n_set_aside > 0;
}

void contexts_for_each(void (*scope)(struct context *context, void *data), void *data)
{
	static struct context context;
	scope(&context, data);
}

void streams_for_each(struct context *context, void (*scope)(struct stream *stream, void *data),
		      void *data)
{
	(void)context;
	if (known)
		scope(known, data);
}

void streams_note_lost(void)
{
}

/* A copy that another thread overtakes at the driver. */
static void overtake(struct stream *stream, struct journal_record *copy)
{
	*copy = (struct journal_record){
		.kind = RECORD_SUBMISSION, .ordinal = OWN, .result = RESULT_PENDING};
	CHECK(streams_lock(stream, COPIER));
	streams_open(stream, COPIER, copy);
	CHECK(streams_lock(stream, OTHER));
	streams_unlock(stream, OTHER);
	CHECK(!streams_close(stream, COPIER, copy));
}

/*
 * The thread that overtook is still at the driver: it is not waited for, and does not count as
 * stuck.
 */
static void test_no_wait(void)
{
	struct stream_row row = {.submitted = SUBMITTED};
	struct stream stream = {.row = &row};
	struct journal_record copy = {.kind = RECORD_SUBMISSION, .ordinal = OWN};
	CHECK(streams_lock(&stream, COPIER));
	streams_open(&stream, COPIER, &copy);
	CHECK(streams_lock(&stream, OTHER));
	CHECK(!streams_close(&stream, COPIER, &copy));
	CHECK(!streams_lock_after(&stream, COPIER, 0));
	CHECK_EQUAL(stream.stuck_with, 0);
	CHECK_EQUAL(futex_lock_owner(&stream.lock), OTHER);
	CHECK(!streams_lock(&stream, COPIER)); /* it was waited for, for long */
	CHECK_EQUAL(stream.stuck_with, OTHER);
	streams_unlock(&stream, OTHER);
	CHECK(streams_lock(&stream, COPIER));
	streams_unlock(&stream, COPIER);
	streams_came_back(&stream);
	n_set_aside = 0;
}

/* The call has no record, so its stream's order is lost when it returns. */
static void test_no_record(void)
{
	struct stream_row row = {.submitted = SUBMITTED};
	struct stream stream = {.row = &row};
	CHECK(!streams_close(&stream, COPIER, NULL));
	CHECK_EQUAL(row.flags, STREAM_UNORDERED);
	streams_came_back(&stream);
	n_set_aside = n_followed_again = 0;
}

/* A thread that ended, or that was left in the driver by a longjmp(), holds no lock any more. */
static void test_left(void)
{
	struct stream_row row = {.submitted = SUBMITTED};
	struct stream stream = {.id = 3, .row = &row};
	known = &stream;
	CHECK(streams_lock(&stream, COPIER));
	streams_left(OTHER, NULL);
	CHECK_EQUAL(futex_lock_owner(&stream.lock), COPIER);
	streams_left(COPIER, NULL);
	CHECK_EQUAL(futex_lock_owner(&stream.lock), 0);
	known = NULL;
}

/* A submission that was left may be in the stream, unless the driver refused it. */
static void test_left_submission(void)
{
	static const int32_t results[] = {RESULT_PENDING, CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE};
	for (int i = 0; i < 3; i++) {
		struct stream_row row = {.submitted = SUBMITTED};
		struct stream stream = {.id = 3, .row = &row};
		struct journal_record record = {.kind = RECORD_SUBMISSION,
						.stream = 3,
						.ordinal = OWN,
						.result = results[i]};
		bool is_left = results[i] <= 0;
		known = &stream;
		CHECK(streams_lock(&stream, COPIER));
		streams_left(COPIER, &record);
		CHECK_EQUAL(futex_lock_owner(&stream.lock), 0);
		CHECK_EQUAL(row.submitted, is_left ? OWN : SUBMITTED);
		CHECK_EQUAL(record.flags & RECORD_UNORDERED, is_left ? RECORD_UNORDERED : 0);
	}
	known = NULL;
	n_set_aside = n_followed_again = 0;
}

/* A noted lock is not taken at once, but it is waited for, and then overtakes the open copy. */
static void test_wait(void)
{
	struct stream_row row = {.submitted = SUBMITTED};
	struct stream stream = {.row = &row};
	CHECK(streams_lock(&stream, OTHER));
	futex_lock_note(&stream.lock, true);
	streams_unlock(&stream, OTHER);
	CHECK(!futex_lock_try(&stream.lock, COPIER));
	CHECK(streams_lock_after(&stream, COPIER, 1000 * 1000 * 1000));
	CHECK_EQUAL(futex_lock_owner(&stream.lock), COPIER);
	futex_lock_note(&stream.lock, false);
	streams_unlock(&stream, COPIER);
}

int main(void)
{
	test_no_wait();
	test_no_record();
	test_left();
	test_left_submission();
	test_wait();

	struct stream_row row = {.submitted = SUBMITTED};
	struct stream stream = {.row = &row};
	struct journal_record copy = {.ordinal = OWN};

	/* If no thread overtakes it, it keeps its place. */
	CHECK(streams_lock(&stream, COPIER));
	streams_open(&stream, COPIER, &copy);
	CHECK(streams_close(&stream, COPIER, &copy));
	streams_unlock(&stream, COPIER);
	CHECK(copy.ordinal == OWN && !(copy.flags & RECORD_UNORDERED) && n_set_aside == 0);

	overtake(&stream, &copy);
	CHECK(copy.ordinal == 0 && (copy.flags & RECORD_UNORDERED) && n_set_aside > 0);
	CHECK_EQUAL(copy.progress.behind, SUBMITTED);
	CHECK_EQUAL(row.flags, STREAM_UNORDERED);
	/*
	 * The driver's counters are followed again when no thread is beside the stream, and not
	 * before.
	 */
	CHECK_EQUAL(streams_pass(&stream), SUBMITTED);
	streams_came_back(&stream);
	CHECK_EQUAL(streams_number_late(&stream, &copy), SUBMITTED + 1);
	CHECK_EQUAL(copy.ordinal, SUBMITTED + 1);
	CHECK_EQUAL(n_followed_again, 0);
	streams_came_back(&stream);
	CHECK_EQUAL(streams_number_late(&stream, NULL), SUBMITTED + 2);
	CHECK_EQUAL(n_followed_again, 1);
	CHECK_EQUAL(streams_pass(&stream), SUBMITTED + 2);
	streams_came_back(&stream);

	/* Work that had an order at the failure keeps it, and work that had none gets none. */
	row.submitted = SUBMITTED;
	row.flags = 0;
	streams_freeze_order();
	overtake(&stream, &copy);
	CHECK(copy.ordinal == OWN && !(copy.flags & RECORD_UNORDERED) && row.flags == 0);
	row.submitted = SUBMITTED + 5;
	CHECK_EQUAL(streams_number_late(&stream, &copy), SUBMITTED + 5);
	CHECK_EQUAL(copy.ordinal, OWN);
	copy = (struct journal_record){.flags = RECORD_UNORDERED};
	CHECK_EQUAL(streams_number_late(&stream, &copy), SUBMITTED + 5);
	CHECK_EQUAL(copy.ordinal, 0);
	return 0;
}
