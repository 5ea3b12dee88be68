/*
 * test_suspect_order.c - which of several suspects is named first, and that this changes nothing
 * else.
 */
#include "attribution/suspect_order.h"

#include "support/check.h"
#include "support/verdict_case.h"
#include "support/words_builder.h"

static void test_functions(void)
{
	const struct open_work kernel = {.work = WORK_KERNEL};
	const struct open_work copy = {.work = WORK_COPY};
	CHECK(!suspect_is_rarely_guilty(&kernel) && suspect_is_rarely_guilty(&copy));
	CHECK(suspect_weight_of_counters(WORK_KERNEL, COUNTERS_RUNNING) >
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_STARTED));
	CHECK(suspect_weight_of_counters(WORK_KERNEL, COUNTERS_STARTED) >
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_SILENT));
	CHECK(suspect_weight_of_counters(WORK_KERNEL, COUNTERS_SILENT) >
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_OVER));
	CHECK(suspect_weight_of_counters(WORK_KERNEL, COUNTERS_OVER) >
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_WAITING));
	CHECK_EQUAL(suspect_weight_of_counters(WORK_GRAPH, COUNTERS_SILENT),
		    suspect_weight_of_counters(WORK_KERNEL, COUNTERS_RUNNING));
	CHECK(suspect_weight_of_counters(WORK_GRAPH, COUNTERS_WAITING) >
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_WAITING));
	CHECK(suspect_weight_of_counters(WORK_GRAPH, COUNTERS_WAITING) <
	      suspect_weight_of_counters(WORK_KERNEL, COUNTERS_OVER));
	CHECK(suspect_novelty(0) > suspect_novelty(1));
	CHECK(suspect_novelty(1) > suspect_novelty(100));
	CHECK_EQUAL(suspect_novelty(100), suspect_novelty(UINT64_MAX));
	/* Started while the GPU was halting; just before that; long ago. */
	CHECK(suspect_begin_distance(15000) < suspect_begin_distance(0));
	CHECK(suspect_begin_distance(0) < suspect_begin_distance(5000000));
	CHECK(suspect_begin_distance(30000) < suspect_begin_distance(40000));
	CHECK(suspect_begin_distance(SUSPECT_HALT_NS) <=
	      suspect_begin_distance(SUSPECT_HALT_NS - 1));
}

static void check_first(struct verdict_case *c, uint64_t sequence)
{
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.suspects[0].record.sequence, sequence);
}

/*
 * A kernel that has often finished ranks after one that never has. So does a known shape after a
 * new one.
 */
static void test_novelty(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t old = builder_function(&c->builder, "old", 0, NULL);
	uint32_t new = builder_function(&c->builder, "new", 0, NULL);
	for (int i = 0; i < 8; i++) /* 1-8 */
		builder_launch(&c->builder, CASE_TID, stream, old, NULL, 0);
	builder_sync(&c->builder, stream, 6, "cuStreamSynchronize");
	builder_launch(&c->builder, CASE_TID, stream, new, NULL, 0);
	check_first(c, 9);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 7);
	case_find(c, 8)->launch.grid[0] = 99;
	check_first(c, 8);
	case_find(c, 8)->launch.function = 0; /* nothing is known about it */
	check_first(c, 9);
	case_end(c);
}

/* Each part of a launch's shape makes it a new one. */
static void test_novelty_of_shapes(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t function = builder_function(&c->builder, "kernel", 0, NULL);
	for (int i = 0; i < 4; i++)
		builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	builder_sync(&c->builder, stream, 2, "cuStreamSynchronize");
	case_find(c, 4)->stack = 2; /* only launches from one line are unusual beside each other */
	check_first(c, 3);
	for (int part = 0; part < 4; part++) {
		struct record_launch *launch = &case_find(c, 4)->launch;
		const struct record_launch usual = *launch;
		launch->grid[2] += part == 0;
		launch->block[2] += part == 1;
		if (part == 2)
			launch->cluster[2] = 2;
		launch->shared_bytes += part == 3;
		check_first(c, 4);
		*launch = usual;
	}
	case_end(c);
}

/* A launch whose call had not returned has no place in its stream: it has not finished. */
static void test_novelty_of_pending(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t function = builder_function(&c->builder, "kernel", 0, NULL);
	uint32_t other = builder_function(&c->builder, "other", 0, NULL);
	builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	builder_launch(&c->builder, CASE_TID, stream, other, NULL, 0);
	builder_sync(&c->builder, stream, 2, "cuStreamSynchronize");
	case_find(c, 1)->ordinal = 0;
	builder_launch(&c->builder, CASE_TID, stream, other, NULL, 0);
	builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	check_first(c, 4);
	case_end(c);
}

/* A launch that the driver rejected has not finished, although its stream reached its ordinal. */
static void test_novelty_of_rejected(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t function = builder_function(&c->builder, "kernel", 0, NULL);
	uint32_t other = builder_function(&c->builder, "other", 0, NULL);
	builder_reject(&c->builder,
		       builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0), 1);
	builder_launch(&c->builder, CASE_TID, stream, other, NULL, 0);
	builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
	builder_launch(&c->builder, CASE_TID, stream, other, NULL, 0);
	builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0);
	check_first(c, 4);
	case_end(c);
}

/* The last launch that a sync proved finished counts. */
static void test_novelty_of_last_finished(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t old = builder_function(&c->builder, "old", 0, NULL);
	uint32_t new = builder_function(&c->builder, "new", 0, NULL);
	builder_launch(&c->builder, CASE_TID, stream, old, NULL, 0);
	builder_sync(&c->builder, stream, 1, "cuStreamSynchronize");
	builder_launch(&c->builder, CASE_TID, stream, old, NULL, 0);
	builder_launch(&c->builder, CASE_TID, stream, new, NULL, 0);
	check_first(c, 3);
	CHECK_EQUAL(c->verdict.lead, LEAD_NOVEL);
	case_end(c);
}

/* Make the kernel the newest payload of the first channel. */
static void say_running(struct verdict_case *c, uint64_t sequence)
{
	struct journal_record *record = case_find(c, sequence);
	record->progress.channel = builder_channel(&c->builder, c->context, 5);
	record->progress.payload = 5;
	builder_channel_row(&c->builder, 1)->started_gpu_ns = 1000000;
	record->progress.state = builder_kernel_state(&c->builder, record->stream, 1);
	record->progress.turn = 1;
}

/* Launch n kernels of different names. */
static void launch_many(struct verdict_case *c, uint32_t stream, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		char name[16];
		snprintf(name, sizeof(name), "old%u", i);
		uint32_t function = builder_function(&c->builder, name, 0, NULL);
		builder_launch(&c->builder, CASE_TID, stream, function, NULL, 0)->stack = i + 1;
	}
}

/* Suspects that are in no listed group were not compared, so the first one has no lead. */
static void test_no_lead_over_ungrouped(void)
{
	for (uint32_t n = VERDICT_MAX_GROUPS - 1; n <= VERDICT_MAX_GROUPS; n++) {
		struct verdict_case *c = case_begin();
		uint32_t stream = case_stream(c);
		uint32_t new = builder_function(&c->builder, "new", 0, NULL);
		builder_launch(&c->builder, CASE_TID, stream, new, NULL, 0);
		say_running(c, 1);
		launch_many(c, case_stream(c), n);
		check_first(c, 1);
		bool are_all_listed = n + 1 <= VERDICT_MAX_GROUPS;
		CHECK_EQUAL(c->verdict.n_ungrouped, are_all_listed ? 0 : 1);
		CHECK_EQUAL(c->verdict.lead, are_all_listed ? LEAD_COUNTERS : LEAD_NONE);
		case_end(c);
	}
}

/*
 * A graph that has finished as it is ranks after a new kernel, and before it once the graph
 * changes.
 */
static void test_graph_novelty(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	uint32_t new = builder_function(&c->builder, "new", 0, NULL);
	for (int i = 0; i < 6; i++) /* 1-6 */
		builder_submit(&c->builder, CASE_TID, stream, WORK_GRAPH)->graph.handle = 7;
	builder_sync(&c->builder, stream, 5, "cuStreamSynchronize");
	builder_launch(&c->builder, CASE_TID, case_stream(c), new, NULL, 0);
	check_first(c, 7);
	case_find(c, 6)->graph.version = 1;
	check_first(c, 6);
	/* A missing progress counter does not clear the graph, even if the kernel has one. */
	say_running(c, 7);
	check_first(c, 6);
	case_find(c, 6)->graph.version = 0;
	check_first(c, 7);
	CHECK_EQUAL(c->verdict.lead, LEAD_NOVEL);
	case_find(c, 6)->graph.replay = 1; /* of an older one */
	for (uint32_t i = 1; i < 6; i++)
		case_find(c, i)->graph.number = 1; /* it had the same handle */
	check_first(c, 6);
	for (uint32_t i = 1; i < 6; i++) {
		case_find(c, i)->graph.number = 0;
		case_find(c, i)->graph.handle = 8;
	}
	check_first(c, 6);
	case_find(c, 6)->graph.replay = 6; /* the ring has forgotten the others */
	check_first(c, 7);
	case_find(c, 6)->graph.version = 1; /* they had other nodes */
	check_first(c, 6);
	case_end(c);
}

/* The counters show more of the kernel than of the copy, but a copy comes after it anyway. */
static void test_lead_by_kind(void)
{
	struct verdict_case *c = case_begin();
	builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_COPY);
	case_launch(c, case_stream(c), 1);
	say_running(c, 2);
	check_first(c, 2);
	CHECK_EQUAL(c->verdict.lead, LEAD_KIND);
	case_end(c);
}

/*
 * The launches of one kernel are too many to be listed. Launches after a missing side marker come
 * last, although others are further from the finished work of their stream.
 */
static void test_which_of_many_are_listed(void)
{
	struct verdict_case *c = case_begin();
	uint32_t marked = case_stream(c);
	uint32_t other = case_stream(c);
	case_launch_flagged(c, marked, VERDICT_MAX_SUSPECTS, RECORD_MARKED_SIDE);
	case_launch(c, other, VERDICT_MAX_SUSPECTS);
	check_first(c, 1);
	for (uint32_t i = 1; i < VERDICT_MAX_SUSPECTS; i++)
		CHECK_EQUAL(c->verdict.suspects[i].record.stream, other);
	case_end(c);
}

/* Two streams; each has started one kernel. */
static void test_words(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch(c, a, 1);
	case_launch(c, b, 1);
	for (uint32_t id = 1; id <= 2; id++) {
		struct journal_record *record = case_find(c, id);
		record->progress.channel = builder_channel(&c->builder, c->context, 5);
		record->progress.payload = 5;
		builder_channel_row(&c->builder, id)->started_gpu_ns = 1000000;
	}
	check_first(c, 1);
	/* The second kernel started when the GPU may have been halting, or long before. */
	builder_channel_row(&c->builder, 1)->started_gpu_ns -= SUSPECT_HALT_NS / 2;
	check_first(c, 1);
	builder_channel_row(&c->builder, 1)->started_gpu_ns -= 500000;
	check_first(c, 2);
	builder_channel_row(&c->builder, 1)->started_gpu_ns += 500000;
	check_first(c, 1);
	/* The kernel is certainly running. */
	case_find(c, 2)->progress.state = builder_kernel_state(&c->builder, b, 1);
	case_find(c, 2)->progress.turn = 1;
	check_first(c, 2);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	case_end(c);
}

/* The list is full, and lacks the last copy's group. It replaces the copy of a group with a better.
 */
static void test_which_of_many_makes_room(void)
{
	struct verdict_case *c = case_begin();
	const uint32_t streams[] = {case_stream(c), case_stream(c), case_stream(c), case_stream(c)};
	const uint32_t order[] = {streams[1], streams[0], streams[2]}; /* #1 to #3 */
	for (int i = 0; i < 3; i++)
		builder_submit(&c->builder, CASE_TID, order[i], WORK_COPY)->stack = i < 2 ? 1 : 2;
	case_launch(c, streams[3], VERDICT_MAX_SUSPECTS - 2);
	check_first(c, 4);
	CHECK_EQUAL(c->verdict.n_suspects, VERDICT_MAX_SUSPECTS + 1);
	CHECK(case_suspects(c, 1) && !case_suspects(c, 2) && case_suspects(c, 3));
	CHECK(case_suspects(c, VERDICT_MAX_SUSPECTS + 1)); /* the last kernel */
	case_end(c);
}

int main(void)
{
	test_functions();
	test_novelty();
	test_novelty_of_shapes();
	test_novelty_of_pending();
	test_no_lead_over_ungrouped();
	test_novelty_of_last_finished();
	test_novelty_of_rejected();
	test_lead_by_kind();
	test_which_of_many_are_listed();
	test_which_of_many_makes_room();
	test_graph_novelty();
	test_words();
	return 0;
}
