/*
 * test_coredump_doubts.c - dumps that say too little, or something else: other codes, warps that
 * exited, other handles, two faults.
 */
#include "coredump/gpu_exceptions.h"
#include "support/check.h"
#include "support/coredump_case.h"

/* A dump with another error does not belong to this failure. */
static void test_other_code(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story_dump(&story, story.scatter, 1)->exceptions = 1u << GPU_EXCEPTION_WARP_MISALIGNED;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_OTHER));
	CHECK(!story.c->verdict.coredump && !story.c->verdict.location);
	case_end(story.c);
}

/* With dumps on the driver returns 719 for an assert. */
static void test_assert_code(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story_dump(&story, story.gather, 1)->exceptions = 1u << GPU_EXCEPTION_WARP_ASSERT;
	story_judge_code(&story, 719, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	case_end(story.c);
}

/* Exceptions that the device saw, or of two kinds, or unknown ones, name but do not convict. */
static void test_weak_exceptions(void)
{
	const uint32_t weak[] = {
		1u << GPU_EXCEPTION_DEVICE_ILLEGAL_ADDRESS,
		1u << GPU_EXCEPTION_LANE_SYSCALL,
		1u << GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS | 1u << GPU_EXCEPTION_WARP_MISALIGNED,
	};
	for (size_t i = 0; i < sizeof(weak) / sizeof(weak[0]); i++) {
		struct story story = story_begin();
		story_launch(&story, story.stream, story.scatter, 1);
		story_launch(&story, story.other_stream, story.gather, 1);
		story_dump(&story, story.gather, 1)->exceptions = weak[i];
		story_judge(&story, FAILURE_SYNCS_WATCHED);
		CHECK_VERDICT(story.c, VERDICT_LIKELY, 2);
		case_end(story.c);
	}
}

/* Only the code is known: it narrows, and never proves. */
static void test_warp_gone(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story_launch(&story, story.other_stream, story.gather, 2);
	story_dump_place(&story, "scatter", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_KERNEL));
	story_dump_place(&story, "gather", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 2);
	/* A function that kernels call does not show which kernel called it. */
	story_dump_place(&story, "helper", false);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 3, 1);
	case_end(story.c);
}

/* A sync may have returned success after the faulting warp exited: it clears nothing. */
static void test_synced_behind_gone_warp(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.stream, story.gather, 2);
	builder_stream_row(&story.c->builder, story.stream)->synced = 1;
	story_dump_place(&story, "scatter", true);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	/* The warp is in the dump: its grid cannot have finished, so the sync was right. */
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK(story.c->verdict.class < VERDICT_LIKELY);
	case_end(story.c);
}

/*
 * Data that is run as code: an H200 under driver 580.159 returned 700 without dumps and 715 with
 * them. An invalid opcode in a kernel is 715 in both cases.
 */
static void test_data_run_as_code(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	struct gpu_fault *fault = story_dump(&story, story.scatter, 1);
	fault->exceptions = 1u << GPU_EXCEPTION_WARP_ILLEGAL_INSTRUCTION;
	fault->grids[0].location.code.function = ""; /* code without symbols is code */
	CHECK(!gpu_fault_is_retold(fault) && !gpu_fault_fits(fault, 700));
	CHECK_EQUAL(gpu_fault_result(fault), 715);
	fault->grids[0].location.is_data = true;
	CHECK(gpu_fault_is_retold(fault) && gpu_fault_fits(fault, 715));
	CHECK_EQUAL(gpu_fault_result(fault), 700);
	story_judge_code(&story, 700, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
}

/* The same kernel, but in another context, or under a handle of another kind. */
static void test_other_handles(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.context++;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.function++;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* A dump has the work of a green context in its primary one. */
static void test_green_context(void)
{
	struct story story = story_begin();
	struct bundle_builder *builder = &story.c->builder;
	uint32_t green = builder_context(builder, 0, "NVIDIA H200");
	uint32_t stream = builder_stream(builder, green, STREAM_EXPLICIT, 0, 0x5000);
	builder_context_row(builder, green)->primary = story.c->context;
	story_launch(&story, stream, story.scatter, 1);
	story_launch(&story, story.stream, story.gather, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	builder_context_row(builder, story.c->context)->destroyed_ns = 1;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

/* The stream was destroyed after the launch, and no other stream has taken its row. */
static void test_destroyed_stream(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	struct stream_row *row = builder_stream_row(&story.c->builder, story.stream);
	row->destroyed_ns = 1;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
}

/* The handle was reused for another kernel: the name tells the two apart. */
static void test_reloaded_function(void)
{
	const uint32_t sizes[] = {8, 4};
	struct story story = story_begin();
	struct function_row *rows =
		(struct function_row *)(void *)(story.c->builder.tables[JOURNAL_FUNCTIONS].bytes +
						sizeof(struct file_header));
	rows[story.gather - 1].handle = rows[story.scatter - 1].handle;
	story_launch(&story, story.stream, story.gather, 1);
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 2);
	case_end(story.c);
	/* The kernel is loaded twice, under two handles: either may have failed. */
	story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.stream, builder_function(&story.c->builder, "scatter", 2, sizes),
		     1);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	case_end(story.c);
}

/*
 * An H200 under driver 580.159 dumps the grid of a cooperative launch as one block, or one cluster.
 * A launch of a single block would leave the same dump.
 */
static void test_cooperative(void)
{
	struct story story = story_begin();
	struct journal_record *record = story_launch(&story, story.stream, story.scatter, 1);
	record->flags |= RECORD_COOPERATIVE;
	record->launch.grid[0] = 4;
	story_launch(&story, story.stream, story.scatter, 2);
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	story_dump(&story, story.scatter, 1)->grids[0].grid.grid[0] = 2;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK(!story.c->verdict.coredump);
	story.fault.grids[0].grid.cluster[0] = 2;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	case_end(story.c);
	story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	record = story_launch(&story, story.stream, story.scatter, 1);
	record->flags |= RECORD_COOPERATIVE;
	record->launch.grid[0] = 4;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 2);
	case_end(story.c);
}

/* Launches in the style before CUDA 4 (cuLaunchGrid): separate calls set their shape. */
static void test_unknown_shape(void)
{
	struct story story = story_begin();
	struct journal_record *record = story_launch(&story, story.stream, story.scatter, 1);
	memset(record->launch.block, 0, sizeof(record->launch.block));
	record->launch.grid[0] = 4;
	story_dump(&story, story.scatter, 1)->grids[0].grid.grid[0] = 4;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	case_end(story.c);
}

static void test_two_faults(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story_launch(&story, story.other_stream, story.gather, 9);
	struct gpu_fault *fault = story_dump(&story, story.scatter, 1);
	fault->grids[1] = fault->grids[0];
	fault->grids[1].kernel = "gather";
	fault->grids[1].grid.function = 0x2000 + story.gather;
	fault->n_grids = 2;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 2, 1);
	/* A place that no grid explains. */
	fault = story_dump(&story, story.scatter, 1);
	fault->n_locations = 1;
	fault->locations[0].code = (struct gpu_code){.function = "gather", .is_kernel = true};
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 3, 1);
	fault = story_dump(&story, story.scatter, 1);
	fault->is_partial = true;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 3, 1);
	case_end(story.c);
}

/* A dump without a fault says nothing. */
static void test_empty(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_launch(&story, story.other_stream, story.gather, 1);
	story.fault = (struct gpu_fault){0};
	story_judge_code(&story, 719, FAILURE_SYNCS_WATCHED);
	CHECK(!case_evidence(story.c, EVIDENCE_COREDUMP_UNMATCHED));
	story_check_narrowed(&story, 2, 1);
	case_end(story.c);
}

/* The dump fits no launch: it clears none of them, and nothing is certain. */
static void test_unmatched(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 2);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	story_check_narrowed(&story, 1, 1);
	CHECK(case_evidence(story.c, EVIDENCE_COREDUMP_UNMATCHED));
	CHECK(!story.c->verdict.coredump);
	case_end(story.c);
}

/*
 * A copy is a kernel of the driver's. It is cleared only if the dump names the application's
 * kernel. Its stream shows whether it has finished, also if its call may have waited.
 */
static void check_copy(uint16_t flags)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	builder_submit(&story.c->builder, CASE_TID, story.other_stream, WORK_COPY)->flags = flags;
	story_dump(&story, story.scatter, 2);
	story.fault.grids[0].kernel = "memcpy_kernel";
	story.fault.grids[0].grid.function = 0x9999;
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 2);
	case_end(story.c);
}

/* The dump names neither grid nor code, and the culprit may have no record. */
static void test_partial_beside_lost_work(void)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	story_dump(&story, story.scatter, 1);
	story.fault.n_grids = 0;
	story.fault.is_partial = true;
	story_judge(&story, UNWATCHED);
	CHECK_VERDICT(story.c, VERDICT_LIKELY, 1);
	story_judge(&story, UNWATCHED | FAILURE_STREAMS_LOST);
	story_check_narrowed(&story, 1, 1);
	case_end(story.c);
}

/* A copy that passed a lock, or is of no known stream: its call waited, and was watched or not. */
static void check_copy_that_returned(bool has_stream)
{
	struct story story = story_begin();
	story_launch(&story, story.stream, story.scatter, 1);
	struct journal_record *copy =
		builder_submit(&story.c->builder, CASE_TID, story.stream, WORK_COPY);
	copy->flags = RECORD_UNORDERED | RECORD_SYNCHRONOUS;
	copy->ordinal = 0;
	copy->stream = has_stream ? copy->stream : 0;
	builder_stream_row(&story.c->builder, story.stream)->submitted = 1;
	story_dump(&story, story.scatter, 1);
	story_judge(&story, FAILURE_SYNCS_WATCHED);
	CHECK_VERDICT(story.c, VERDICT_EXACT, 1);
	story_judge(&story, UNWATCHED);
	story_check_narrowed(&story, 1, 1);
	case_end(story.c);
}

int main(void)
{
	test_partial_beside_lost_work();
	check_copy_that_returned(true);
	check_copy_that_returned(false);
	test_other_code();
	test_assert_code();
	test_weak_exceptions();
	test_warp_gone();
	test_synced_behind_gone_warp();
	test_data_run_as_code();
	test_other_handles();
	test_green_context();
	test_destroyed_stream();
	test_reloaded_function();
	test_cooperative();
	test_unknown_shape();
	test_two_faults();
	test_empty();
	test_unmatched();
	check_copy(0);
	check_copy(RECORD_SYNCHRONOUS);
	return 0;
}
