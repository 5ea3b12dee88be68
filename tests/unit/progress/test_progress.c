/*
 * test_progress.c - how far streams are at a moment in a process that has not failed.
 */
#include "progress/progress_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/verdict_case.h"

static void test_running_process(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct moment now = {.sequence = UINT64_MAX};
	case_launch_flagged(c, stream, 10, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 6);
	struct progress progress;
	void *scratch = case_read_progress(c, &now, &progress);
	CHECK_EQUAL(progress.streams[stream].done, 6);
	CHECK_EQUAL(progress.streams[stream].submitted, 10);
	CHECK_EQUAL(progress.n_open, 4);
	const struct open_work *open = &progress.open[progress.streams[stream].first_open];
	CHECK(progress_is_able(&progress, &open[0]));
	CHECK(!progress_is_blocked(&progress, &open[0], LEVEL_STRICT));
	CHECK(progress_is_blocked(&progress, &open[1], LEVEL_STRICT));
	free(scratch);
	case_end(c);
}

/* Work submitted after the moment does not count as unfinished, and had no part in the failure. */
static void test_later_work_is_unable(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	struct moment then = {.sequence = case_launch(c, stream, 3)};
	struct progress progress;
	void *scratch = case_read_progress(c, &then, &progress);
	CHECK_EQUAL(progress.n_open, 3);
	const struct open_work *open = &progress.open[progress.streams[stream].first_open];
	CHECK(progress_is_able(&progress, &open[0]));
	CHECK(!progress_is_able(&progress, &open[1]));
	CHECK(progress_is_open(&progress, &open[0]));
	CHECK(!progress_is_open(&progress, &open[1]));
	free(scratch);
	case_end(c);
}

/* For a failure, the counts are those copied at that time; without a failure, the live ones. */
static void test_kept_counts(void)
{
	for (int32_t code = 0; code <= 700; code += 700) {
		struct verdict_case *c = case_begin();
		uint32_t stream = case_stream(c);
		struct moment moment = {.code = code, .sequence = UINT64_MAX};
		case_launch(c, stream, 10);
		struct stream_row *row = builder_stream_row(&c->builder, stream);
		row->synced = 9;
		row->synced_then = 4;
		row->submitted_then = 8;
		row->flags |= STREAM_FROZEN;
		struct progress progress;
		void *scratch = case_read_progress(c, &moment, &progress);
		CHECK_EQUAL(progress.streams[stream].done, code ? 4 : 9);
		CHECK_EQUAL(progress.streams[stream].submitted, code ? 8 : 10);
		CHECK_EQUAL(progress.n_open, code ? 6 : 1);
		CHECK_EQUAL(progress.streams[stream].n_lost, 0);
		free(scratch);
		case_end(c);
	}
}

/* A marker may land before its call has counted the work. More than that is a contradiction. */
static void test_done_ahead(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint64_t ahead = 0; ahead <= 2; ahead++) {
		struct verdict_case *c = case_begin();
		uint32_t stream = case_stream(c);
		struct progress progress;
		case_launch(c, stream, 3);
		case_find(c, 3)->flags = RECORD_MARKED_INLINE;
		builder_mark(&c->builder, stream, 3);
		builder_stream_row(&c->builder, stream)->submitted = 3 - ahead;
		free(case_read_progress(c, &now, &progress));
		CHECK_EQUAL(progress.is_contradictory, ahead == 2);
		void *scratch = case_read_progress(c, &now, &progress);
		CHECK_EQUAL(progress.streams[stream].submitted, 3);
		CHECK_EQUAL(progress.streams[stream].done, 3);
		CHECK(progress.streams[stream].is_marked_inline);
		free(scratch);
		case_end(c);
	}
}

/* Finished work needs no room. There is room for some work that is added in the meantime. */
static void test_room(void)
{
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t stream = case_stream(c);
	struct progress progress;
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &now);
	case_launch(c, stream, 5);
	builder_mark(&c->builder, stream, 5);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(progress_read_scratch(&c->view, &now), size);
	case_launch(c, stream, 1);
	case_find(c, 6)->result = 1; /* the driver has refused it */
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(progress_read_scratch(&c->view, &now), size);
	void *scratch = malloc(size);
	CHECK(scratch);
	CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, size, &progress), 0);
	CHECK_EQUAL(progress.max_open, 1024);
	case_launch(c, stream, 3);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, size, &progress), 0);
	CHECK_EQUAL(progress.max_open, 3);
	CHECK(progress.n_open == 3 && progress.n_unplaced == 0);
	free(scratch);
	case_end(c);
}

/* Finished work of several streams waited for the legacy stream's. Some of the edges have no room.
 */
static void test_room_for_edges(void)
{
	enum { N_STREAMS = 3 };
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
	uint32_t blocking[N_STREAMS];
	struct progress progress;
	for (uint32_t i = 0; i < N_STREAMS; i++)
		blocking[i] = builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, i + 1);
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &now);
	void *scratch = malloc(size);
	CHECK(scratch);
	case_launch(c, legacy, 1);
	for (uint32_t i = 0; i < N_STREAMS; i++) {
		case_launch(c, blocking[i], 1);
		builder_mark(&c->builder, blocking[i], 1);
	}
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, size, &progress), 0);
	CHECK_EQUAL(progress.max_edges, 2);
	CHECK_EQUAL(progress.n_edges, 2);
	limits_raise_done(&progress);
	CHECK_EQUAL(progress.streams[legacy].done, 1);
	free(scratch);
	case_end(c);
}

/* A ring that the view does not have lost no work. */
static void test_rings_of_the_view(void)
{
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	struct progress progress;
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &now);
	void *scratch = malloc(size);
	CHECK(scratch);
	c->view.rings[0].owed = 1;
	for (uint32_t n_rings = 0; n_rings <= 1; n_rings++) {
		c->view.n_rings = n_rings;
		CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, size, &progress), 0);
		CHECK_EQUAL(progress.n_unplaced, n_rings);
	}
	free(scratch);
	case_end(c);
}

/* One thread after another used the ring: the second one's work does not wait for legacy work. */
static void test_ring_of_two_threads(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint32_t is_another = 0; is_another <= 1; is_another++) {
		struct verdict_case *c = case_begin();
		uint32_t legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
		uint32_t blocking = builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 1);
		struct progress progress;
		case_launch(c, legacy, 1);
		case_launch(c, blocking, 1);
		case_find(c, 2)->tid += is_another;
		free(case_read_progress(c, &now, &progress));
		CHECK_EQUAL(progress.n_edges, !is_another);
		case_end(c);
	}
}

/* The row of the stream's context is lost: its side stream is not known. */
static void test_unknown_context(void)
{
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t stream = case_stream(c);
	struct progress progress;
	builder_stream_row(&c->builder, stream)->context = UINT32_MAX;
	builder_stream_row(&c->builder, stream)->side = 1;
	case_launch_flagged(c, stream, 2, RECORD_MARKED_SIDE);
	void *scratch = case_read_progress(c, &now, &progress);
	CHECK(!progress_is_lagging(&progress, &progress.open[0]));
	CHECK(progress_is_lagging(&progress, &progress.open[1]));
	progress.open[1].flags |= RECORD_UNORDERED; /* it may come before the marker */
	CHECK(!progress_is_lagging(&progress, &progress.open[1]));
	free(scratch);
	case_end(c);
}

/* A bundle may give the legacy stream any context. Nothing is written after the scratch. */
static void test_unknown_context_of_legacy(void)
{
	enum { N_AFTER = 64 };
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
	builder_view(&c->builder, &c->view);
	size_t size = progress_read_scratch(&c->view, &now);
	unsigned char *scratch = malloc(size + N_AFTER);
	CHECK(scratch);
	for (uint32_t i = 0; i < N_AFTER / 8; i++) {
		struct progress progress;
		builder_stream_row(&c->builder, legacy)->context = c->context + 1 + i;
		memset(scratch + size, 0xa5, N_AFTER);
		CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, size, &progress), 0);
		for (size_t k = 0; k < N_AFTER; k++)
			CHECK_EQUAL(scratch[size + k], 0xa5);
	}
	free(scratch);
	case_end(c);
}

/* A row is used again: only waits that the earlier stream may have been given do not count. */
static void test_waits_of_a_reused_row(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint64_t before = 1; before <= 2; before++) {
		struct verdict_case *c = case_begin();
		uint32_t source = case_stream(c);
		uint32_t waiter = case_stream(c);
		struct progress progress;
		case_launch(c, source, 1);
		case_launch(c, waiter, 2);
		builder_stream_row(&c->builder, waiter)->before = before;
		builder_wait(&c->builder, CASE_TID, waiter, source, 1);
		case_launch(c, waiter, 1);
		builder_mark(&c->builder, waiter, 3);
		free(case_read_progress(c, &now, &progress));
		CHECK_EQUAL(progress.n_edges, before == 1);
		case_end(c);
	}
}

/* A copy that waits may return the error that it caused, but not if the error is older. */
static void test_error_of_its_own(void)
{
	struct verdict_case *c = case_begin();
	const struct moment then = {.code = 700, .sequence = 1};
	struct journal_record *record =
		builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_COPY);
	builder_view(&c->builder, &c->view);
	CHECK(progress_may_be_queued(&c->view, &then, record));
	record->result = 1;
	CHECK(!progress_may_be_queued(&c->view, &then, record));
	record->result = 700;
	CHECK(progress_may_be_queued(&c->view, &then, record));
	record->sequence = 2;
	CHECK(!progress_may_be_queued(&c->view, &then, record));
	case_end(c);
}

/* Another record has replaced the work's. All that was read before stays known. */
static void test_overwritten_record(void)
{
	struct verdict_case *c = case_begin();
	struct moment now = {.sequence = UINT64_MAX};
	struct journal_record record;
	struct progress progress;
	case_launch(c, case_stream(c), 1);
	void *scratch = case_read_progress(c, &now, &progress);
	CHECK(progress_find_record(&progress, &progress.open[0], &record));
	CHECK_EQUAL(record.launch.grid[0], 1);
	for (uint64_t i = 0; i < 2; i++) {
		struct journal_record *location = case_find(c, 1);
		const struct journal_record before = *location;
		location->kind = i == 0 ? RECORD_EVENT_RECORD : RECORD_SUBMISSION;
		location->sequence += i;
		CHECK(!progress_find_record(&progress, &progress.open[0], &record));
		progress_record(&progress, &progress.open[0], &record);
		CHECK_EQUAL(record.kind, RECORD_SUBMISSION);
		CHECK_EQUAL(record.sequence, 1);
		CHECK_EQUAL(record.launch.grid[0], 0);
		*location = before;
	}
	free(scratch);
	case_end(c);
}

static void test_small_scratch(void)
{
	struct verdict_case *c = case_begin();
	struct moment now = {.sequence = UINT64_MAX};
	case_launch(c, case_stream(c), 1);
	builder_view(&c->builder, &c->view);
	struct progress progress;
	size_t size = progress_read_scratch(&c->view, &now);
	unsigned char *scratch = malloc(size + 8);
	CHECK(scratch);
	for (size_t shift = 1; shift < 8; shift++)
		CHECK_EQUAL(progress_read(&c->view, &now, false, scratch + shift, size, &progress),
			    -ENOMEM);
	CHECK_EQUAL(progress_read(&c->view, &now, false, scratch, 8, &progress), -ENOMEM);
	free(scratch);
	case_end(c);
}

int main(void)
{
	test_running_process();
	test_later_work_is_unable();
	test_kept_counts();
	test_done_ahead();
	test_room();
	test_room_for_edges();
	test_rings_of_the_view();
	test_ring_of_two_threads();
	test_unknown_context();
	test_unknown_context_of_legacy();
	test_waits_of_a_reused_row();
	test_error_of_its_own();
	test_overwritten_record();
	test_small_scratch();
	return 0;
}
