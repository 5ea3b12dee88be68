/*
 * test_order_limits.c - what the order between streams proves: waits, the legacy stream's barrier,
 * and side streams that several streams share. The verdicts are in test_attribution_order.c.
 */
#include <stdlib.h>

#include "progress/progress_parts.h"
#include "support/check.h"
#include "support/verdict_case.h"

/* Work of a blocking stream waits for legacy work once, so that the edges have room. */
static void test_one_edge_for_legacy_work(void)
{
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t legacy = builder_stream(&c->builder, c->context, STREAM_LEGACY, 0, 0);
	uint32_t blocking = builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 1);
	struct progress progress;
	case_launch(c, legacy, 1);
	case_launch(c, blocking, 3);
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 1);
	case_launch(c, legacy, 1);
	case_launch(c, blocking, 2);
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 3);
	/* Legacy work waits for each blocking stream. */
	case_launch(c, builder_stream(&c->builder, c->context, STREAM_EXPLICIT, 0, 2), 1);
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 4);
	case_launch(c, legacy, 1);
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 6);
	case_end(c);
}

/* A stream's wait for itself, for finished work or for an unknown stream is no edge. */
static void test_void_edges(void)
{
	struct verdict_case *c = case_begin();
	const struct moment now = {.sequence = UINT64_MAX};
	uint32_t source = case_stream(c);
	uint32_t waiter = case_stream(c);
	struct progress progress;
	case_launch(c, source, 2);
	case_launch(c, waiter, 1);
	builder_mark(&c->builder, source, 1);
	builder_wait(&c->builder, CASE_TID, waiter, waiter, 1);
	builder_wait(&c->builder, CASE_TID, waiter, source, 1);
	builder_wait(&c->builder, CASE_TID, waiter, source, 2)->stream = UINT32_MAX / 2;
	builder_wait(&c->builder, CASE_TID, waiter, source, 2)->event.source_stream =
		UINT32_MAX / 2;
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 0);
	builder_wait(&c->builder, CASE_TID, waiter, source, 2);
	free(case_read_progress(c, &now, &progress));
	CHECK_EQUAL(progress.n_edges, 1);
	case_end(c);
}

/* Work that finished had waited for other work, which had waited for more, in any order of rows. */
static void test_chain_of_waits(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (int is_reversed = 0; is_reversed <= 1; is_reversed++) {
		struct verdict_case *c = case_begin();
		uint32_t ids[] = {case_stream(c), case_stream(c), case_stream(c)};
		uint32_t first = ids[is_reversed ? 2 : 0];
		uint32_t last = ids[is_reversed ? 0 : 2];
		struct progress progress;
		case_launch(c, first, 1);
		builder_wait(&c->builder, CASE_TID, ids[1], first, 1);
		case_launch(c, ids[1], 1);
		builder_wait(&c->builder, CASE_TID, last, ids[1], 1);
		case_launch(c, last, 1);
		builder_mark(&c->builder, last, 1);
		void *scratch = case_read_progress(c, &now, &progress);
		CHECK_EQUAL(progress.streams[first].done, 1);
		CHECK_EQUAL(progress.streams[first].done_sequence, 1);
		free(scratch);
		case_end(c);
	}
}

/* Work waits for the event of work at a limit, which may have started, and not beyond it. */
static void test_limit_itself(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint64_t ordinal = 1; ordinal <= 2; ordinal++) {
		struct verdict_case *c = case_begin();
		uint32_t source = case_stream(c);
		uint32_t between = case_stream(c);
		uint32_t last = case_stream(c);
		struct progress progress;
		case_launch_flagged(c, source, 1, RECORD_MARKED_INLINE);
		case_launch(c, between, 1);
		builder_wait(&c->builder, CASE_TID, between, source, 1);
		case_launch(c, between, 1);
		builder_wait(&c->builder, CASE_TID, last, between, ordinal);
		case_launch(c, last, 1);
		void *scratch = case_read_progress(c, &now, &progress);
		CHECK_EQUAL(progress.streams[between].limits[LEVEL_STRICT].blocked_above, 1);
		CHECK_EQUAL(progress.streams[last].limits[LEVEL_STRICT].blocked_above,
			    ordinal == 1 ? NO_ORDINAL : 0);
		free(scratch);
		case_end(c);
	}
}

/* A wait proves work finished whose record is lost. Later work, or another stream's, has another.
 */
static void test_finished_without_record(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint32_t n = 2; n <= 3; n++) {
		struct verdict_case *c = case_begin();
		uint32_t source = case_stream(c);
		uint32_t waiter = case_stream(c);
		struct progress progress;
		case_launch(c, source, n);
		builder_wait(&c->builder, CASE_TID, waiter, source, 2);
		case_launch(c, waiter, 2);
		builder_mark(&c->builder, waiter, 1);
		case_find(c, 2)->commit = 0;
		void *scratch = case_read_progress(c, &now, &progress);
		CHECK_EQUAL(progress.streams[source].done, 2);
		CHECK_EQUAL(progress.streams[source].done_sequence, 0);
		free(scratch);
		case_end(c);
	}
}

/* Streams without a side stream, or with several, do not share one. */
static void test_side_streams(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint32_t side = 0; side <= 3; side++) {
		struct verdict_case *c = case_begin();
		struct progress progress;
		for (uint32_t i = 0; i < 2; i++) {
			uint32_t stream = case_stream(c);
			builder_stream_row(&c->builder, stream)->side = side == 3 ? i + 1 : side;
			case_launch_flagged(c, stream, 2, RECORD_MARKED_SIDE);
		}
		if (side == 2) { /* the first one's marker has no place in its stream */
			case_find(c, 2)->result = 1;
			case_find(c, 1)->flags = RECORD_UNORDERED;
			builder_stream_row(&c->builder, 1)->submitted = 1;
		}
		void *scratch = case_read_progress(c, &now, &progress);
		const struct open_work *last = &progress.open[progress.n_open - 1];
		CHECK_EQUAL(progress_is_lagging(&progress, last), side == 0 || side == 3);
		free(scratch);
		case_end(c);
	}
}

/* A bundle may have any ordinal. Work with the last one holds no other work back. */
static void test_last_ordinal(void)
{
	const struct moment now = {.sequence = UINT64_MAX};
	for (uint64_t i = 0; i < 2; i++) {
		struct verdict_case *c = case_begin();
		uint32_t stream = case_stream(c);
		struct progress progress;
		case_launch_flagged(c, stream, 1, RECORD_MARKED_INLINE);
		case_find(c, 1)->ordinal = NO_ORDINAL - i;
		void *scratch = case_read_progress(c, &now, &progress);
		for (enum order_level level = 0; level < N_ORDER_LEVELS; level++) {
			const struct stream_limit *limit = &progress.streams[stream].limits[level];
			CHECK_EQUAL(limit->wall, NO_ORDINAL - i);
			CHECK_EQUAL(limit->wall_sequence, i);
		}
		free(scratch);
		case_end(c);
	}
}

int main(void)
{
	test_one_edge_for_legacy_work();
	test_void_edges();
	test_chain_of_waits();
	test_limit_itself();
	test_finished_without_record();
	test_side_streams();
	test_last_ordinal();
	return 0;
}
