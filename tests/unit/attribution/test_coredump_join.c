/*
 * test_coredump_join.c - when a core dump convicts a launch, and when it must not: equal launches,
 * streams that claim to have continued, lost records.
 */
#include "support/check.h"
#include "support/coredump_case.h"

/* Unfinished launches on two streams, no markers: the dump alone tells them apart. */
static void test_convicts(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.scatter, 2);
	story_launch(&story, story.stream, story.gather, 2);
	builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_MEMSET);
	story_dump(&story, story.scatter, 2);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	CHECK(story.c->verdict.location == &story.fault.grids[0].location);
	const struct evidence *evidence = case_evidence(story.c, EVIDENCE_COREDUMP_GRID);
	CHECK(evidence && evidence->sequence == 2 && evidence->count == 1);
	CHECK(!case_evidence(story.c, EVIDENCE_COREDUMP_PASSED));
	CHECK(!case_evidence(story.c, EVIDENCE_CLASS)); /* the dump cleared the others */
	CHECK_EQUAL(story.c->verdict.streams[0].n_suspects, 1);
	CHECK_EQUAL(story.c->verdict.streams[1].n_suspects, 0);
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	case_end(story.c);
}

/* The dump has two grids: the first suspect's shows where the fault was. */
static void test_two_grids(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	const struct gpu_fault_grid scatter = story_dump(&story, story.scatter, 1)->grids[0];
	struct gpu_fault *fault = story_dump(&story, story.gather, 1);
	fault->grids[fault->n_grids++] = scatter;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	CHECK(story.c->verdict.location == &fault->grids[1].location);
	case_end(story.c);
}

/* The driver let the stream continue and a sync return success: the dump knows better. */
static void test_passed(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.stream, story.gather, 1);
	builder_sync(&story.c->builder, story.stream, 2, "cuStreamSynchronize");
	story_launch(&story, story.stream, story.gather, 2);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_PASSED));
	CHECK(!case_evidence(story.c, EVIDENCE_ONLY_SUSPECT)); /* #3 was */
	/* Where syncs were watched, a dump that names finished work fits nothing. */
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 3, 3);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_UNMATCHED));
	case_end(story.c);
}

static void test_equal_launches(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	builder_sync(&story.c->builder, story.stream, 1, "cuStreamSynchronize");
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	story_judge(&story, UNWATCHED);
	story_check_narrowed(&story, 2, 2);
	story_judge(&story,
		    0); /* there is a dump, so dumps were on, whatever the driver said of it */
	story_check_narrowed(&story, 2, 2);
	case_end(story.c);
}

/* The grid's number, counted among all that runs as a kernel, says which one is first in line. */
static void test_equal_in_order(void)
{
	struct story story = story_begin();
	for (int i = 0; i < 4; i++) {
		story_launch(&story, story.stream, story.gather, 1);
		builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_COPY);
		builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_MEMSET);
		story_launch(&story, story.stream, story.scatter, 1); /* #4, #8, #12, #16 */
	}
	story_dump(&story, story.scatter, 1); /* the 7th grid; #8 is the 6th, #12 the 9th */
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 4, 8);
	story.fault.grids[0].grid.id = 10;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 4, 12);
	builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_GRAPH);
	builder_failure_row(&story.c->builder)->sequence = 17;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_EQUAL(story.c->verdict.suspects[0].record.sequence, 4);
	/* The graph may have run the kernel, too, but that is not sure. */
	CHECK_EQUAL(case_evidence(story.c, EVIDENCE_COREDUMP_GRID)->count, 4);
	case_end(story.c);
}

/* Copies on the device count, and longer memsets; other copies do not. */
static void check_equal_among_copies(uint64_t memset_bytes, uint64_t n_numbered)
{
	struct story story = story_begin();
	struct bundle_builder *builder = &story.c->builder;
	uint32_t on_device = builder_string(builder, "cuMemcpyDtoDAsync_v2");
	uint32_t to_host = builder_string(builder, "cuMemcpyDtoHAsync_v2");
	for (int i = 0; i < 4; i++) {
		builder_submit(builder, CASE_TID, story.stream, WORK_COPY)->call = on_device;
		builder_submit(builder, CASE_TID, story.stream, WORK_COPY)->call = to_host;
		builder_submit(builder, CASE_TID, story.stream, WORK_MEMSET)->memory.bytes =
			memset_bytes;
		story_launch(&story, story.stream, story.scatter, 1); /* #4, #8, #12, #16 */
	}
	for (uint64_t i = 1; i <= 4; i++) {
		story_dump(&story, story.scatter, 1)->grids[0].grid.id = n_numbered * i;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 4, 4 * i);
	}
	case_end(story.c);
}

/* A marker is not a sync: the driver may have let it pass. */
static void test_equal_marked(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_MARKED_INLINE;
	story_launch(&story, story.stream, story.scatter, 1);
	builder_mark(&story.c->builder, story.stream, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 2);
	case_end(story.c);
}

/* No work after a marker that has not landed in the stream has started. A side marker may lag. */
static void test_equal_blocked(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_MARKED_INLINE;
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
	story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_MARKED_SIDE;
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, UNWATCHED);
	story_check_narrowed(&story, 2, 1);
	case_end(story.c);
}

static void test_lost_records(void)
{
	struct story story = story_begin();
	for (uint32_t i = 0; i < 300; i++)
		story_launch(&story, story.stream, story.gather, i);
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 1, 301);
	builder_sync(&story.c->builder, story.stream, 290, "cuStreamSynchronize");
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 301);
	story_judge(&story, UNWATCHED);
	story_check_narrowed(&story, 1, 301);
	case_end(story.c);
}

/* A buffer of parameters without a known layout is compared whole, or not at all. */
static void test_unknown_layout(void)
{
	struct story story = story_begin();
	builder_function_row(&story.c->builder, story.scatter)->n_parameters = UINT32_MAX;
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	story_dump(&story, story.scatter, 2);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	/* The driver's copy may end with padding, which shows that the layouts differ. */
	story_dump(&story, story.scatter, 1)->grids[0].grid.parameters.size++;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* A parameter that the dump lacks, or an unknown kernel: it fits, and is not sure. */
static void test_unknown_parameters(void)
{
	struct story story = story_begin();
	struct journal_record *record = story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.parameters.size = 8;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	record->launch.function = 0;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* The warp of another grid exited: which of the two failed first is not known. */
static void test_grid_and_warp_gone(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump_place(&story, "scatter", true);
	const struct gpu_location location = story.fault.locations[0];
	struct gpu_fault *fault = story_dump(&story, story.scatter, 1);
	fault->locations[fault->n_locations++] = location;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* A launch after the failure did not cause it. */
static void test_later_launch(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_launch(&story, story.stream, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
}

/* Records of waits have ordinals, too, and are no candidates. */
static void test_other_records(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	struct journal_record *record =
		builder_record(&story.c->builder, CASE_TID, RECORD_EVENT_RECORD);
	record->stream = story.stream;
	record->sequence = record->ordinal = 1;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
}

/* A record that names no stream is not judged, and the journal is incomplete without it. */
static void test_no_stream(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.stream, story.scatter, 1)->stream = 99;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 1, 1);
	case_end(story.c);
}

static void check_one_flag(uint32_t flag, enum verdict_class most)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, flag | FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, most, 1);
	case_end(story.c);
}

/* Work that culprit did not see may have been the same. */
static void test_unseen_work(void)
{
	check_one_flag(FAILURE_UNKNOWN_LAUNCH, VERDICT_LIKELY);
	check_one_flag(FAILURE_STREAMS_LOST, VERDICT_LIKELY);
	check_one_flag(FAILURE_BYPASSED, VERDICT_NARROWED);
	check_one_flag(FAILURE_UNSEEN_NEWEST, VERDICT_NARROWED);
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_UNORDERED;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK(story.c->verdict.class < VERDICT_LIKELY);
	case_end(story.c);
}

/* The stream seems to have finished it, or its call has not returned, or neither. */
static struct story unordered_story(int kind)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_MARKED_INLINE;
	story_launch(&story, story.stream, story.gather, 1);
	story_launch(&story, story.stream, story.scatter, 1)->flags = RECORD_UNORDERED;
	if (kind == 1) {
		builder_pend(&story.c->builder, case_find(story.c, 3));
		case_find(story.c, 3)->ordinal = 0;
	}
	if (kind == 2)
		builder_mark(&story.c->builder, story.stream, 3);
	return story;
}

/* Work of unknown order may have run before a marker that its ordinal is after. */
static void test_unordered_work(void)
{
	for (int kind = 0; kind < 3; kind++) {
		struct story story = unordered_story(kind);
		story_dump(&story, story.scatter, 1);
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 2, 3);
		CHECK(case_suspects(story.c, 1));
		case_find(story.c, 3)->launch.function = story.gather;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 1, 1);
		case_end(story.c);
	}
}

/* It comes after the marker, which has not landed or only seems to have. */
static void test_unordered_work_after_a_marker(void)
{
	for (int kind = 0; kind < 3; kind++) {
		struct story story = unordered_story(kind);
		story_dump(&story, story.scatter, 1);
		case_find(story.c, 3)->progress.behind = 1; /* or just before that marker */
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		story_check_narrowed(&story, 2, 3);
		case_find(story.c, 3)->progress.behind = 2;
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		if (kind == 2)
			story_check_narrowed(&story, 2, 3);
		else
			CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
		case_end(story.c);
	}
}

/* A stream's row was reused, so the context of two submissions is not known. */
static void test_stream_reused(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	builder_stream_row(&story.c->builder, story.stream)->before = 1;
	story_launch(&story, story.stream, story.gather, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* More launches than are listed may be the grid: the rest is counted. */
static void test_more_than_are_listed(void)
{
	struct story story = story_begin();
	for (uint32_t i = 0; i < VERDICT_MAX_SUSPECTS + 6; i++)
		story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, 0);
	CHECK_EQUAL(story.c->verdict.n_suspects, VERDICT_MAX_SUSPECTS + 6);
	CHECK_EQUAL(story.c->verdict.n_ungrouped, 6);
	case_end(story.c);
}

int main(void)
{
	test_more_than_are_listed();
	test_convicts();
	test_two_grids();
	test_passed();
	test_equal_launches();
	test_equal_in_order();
	check_equal_among_copies(64, 2);
	check_equal_among_copies(65, 3);
	test_equal_marked();
	test_equal_blocked();
	test_lost_records();
	test_unknown_layout();
	test_unknown_parameters();
	test_grid_and_warp_gone();
	test_later_launch();
	test_other_records();
	test_no_stream();
	test_unseen_work();
	test_unordered_work();
	test_unordered_work_after_a_marker();
	test_stream_reused();
	return 0;
}
