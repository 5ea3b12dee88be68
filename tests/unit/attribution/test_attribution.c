/*
 * test_attribution.c - what makes a verdict exact, likely, narrowed or unknown.
 */
#include "attribution/attribution.h"

#include <errno.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/verdict_case.h"

static void test_no_failure(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 3);
	builder_view(&c->builder, &c->view);
	CHECK_EQUAL(attribution_scratch(&c->view), 0);
	unsigned char scratch[1];
	CHECK_EQUAL(attribute(&c->view, scratch, 0, &c->verdict), 0);
	case_check_unknown(c, UNKNOWN_NO_FAILURE);
	case_end(c);
}

static void test_scratch_too_small(void)
{
	struct verdict_case *c = case_begin();
	case_launch(c, case_stream(c), 3);
	case_judge(c, ILLEGAL_ADDRESS);
	size_t size = attribution_scratch(&c->view);
	unsigned char *scratch = malloc(size);
	CHECK_EQUAL(attribute(&c->view, scratch, 0, &c->verdict), -ENOMEM);
	CHECK_EQUAL(attribute(&c->view, scratch, 400, &c->verdict), -ENOMEM);
	free(scratch);
	/* Each block is as large as said, so that a sanitizer sees what is used beyond it. */
	bool is_enough = false;
	for (size_t n = 8; n <= size; n *= 2) {
		scratch = malloc(n);
		int error = attribute(&c->view, scratch, n, &c->verdict);
		CHECK(error == 0 || (error == -ENOMEM && !is_enough));
		is_enough = error == 0;
		free(scratch);
	}
	scratch = malloc(size);
	CHECK_EQUAL(attribute(&c->view, scratch, size, &c->verdict), 0);
	free(scratch);
	case_end(c);
}

static void test_only_one_unfinished(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 10);
	builder_sync(&c->builder, stream, 9, "cuStreamSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 10);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK(case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_SYNC)->ordinal, 9);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_SYNC)->sequence, 9);
	CHECK_STRING(view_string(&c->view, case_evidence(c, EVIDENCE_SYNC)->call, NULL),
		     "cuStreamSynchronize");
	CHECK_EQUAL(c->verdict.n_streams, 1);
	CHECK_EQUAL(c->verdict.streams[0].done_sequence, 9);
	CHECK_EQUAL(c->verdict.streams[0].started.first, 10);
	case_end(c);
}

static void test_other_streams_are_suspects(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch_flagged(c, a, 5, RECORD_MARKED_INLINE); /* 1-5 */
	case_launch_flagged(c, b, 5, RECORD_MARKED_INLINE); /* 6-10 */
	builder_mark(&c->builder, a, 5);
	builder_mark(&c->builder, b, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 8);
	builder_mark(&c->builder, a, 4);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(case_suspects(c, 5) && case_suspects(c, 8));
	CHECK(!case_evidence(c, EVIDENCE_CHECKS) && !case_evidence(c, EVIDENCE_MARKERS_SPARSE));
	case_end(c);
}

static void test_asserts_come_from_kernels(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	case_launch(c, a, 1);
	builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
	builder_submit(&c->builder, CASE_TID, b, WORK_MEMSET);
	builder_submit(&c->builder, CASE_TID, b, WORK_HOST_FUNC);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 3);
	CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	case_end(c);

	c = case_begin();
	case_launch(c, case_stream(c), 1);
	b = case_stream(c);
	builder_submit(&c->builder, CASE_TID, b, WORK_COPY);
	builder_submit(&c->builder, CASE_TID, b, WORK_HOST_FUNC);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 1);
	case_end(c);
}

/*
 * The copy cannot have failed and its marker has not landed, so the kernel after it has not
 * started.
 */
static void test_unable_work_still_holds_its_stream(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	builder_submit(&c->builder, CASE_TID, a, WORK_COPY)->flags = RECORD_MARKED_INLINE;
	case_launch(c, a, 1);
	case_launch(c, b, 1);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	case_end(c);
}

/* One kernel follows a copy whose side marker lags. The strict rules name the kernel, correctly. */
static void test_strict_beats_likely(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	builder_submit(&c->builder, CASE_TID, stream, WORK_COPY)->flags = RECORD_MARKED_SIDE;
	case_launch(c, stream, 1);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 2);
	CHECK(!case_evidence(c, EVIDENCE_MARKERS_LAG));
	case_end(c);
}

static void test_nothing_unfinished(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 3);
	builder_sync(&c->builder, stream, 3, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	case_end(c);

	c = case_begin();
	builder_submit(&c->builder, CASE_TID, case_stream(c), WORK_COPY);
	case_judge(c, ASSERT);
	case_check_unknown(c, UNKNOWN_NOTHING_UNFINISHED);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_CLASS)->count, 1);
	CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	case_end(c);

	/*
	 * A memory error of the hardware is not blamed on any launch, not even on the only kernel.
	 */
	c = case_begin();
	case_launch(c, case_stream(c), 1);
	case_judge(c, UNCORRECTABLE);
	case_check_unknown(c, UNKNOWN_HARDWARE);
	case_end(c);
}

static void test_ranking(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	builder_submit(&c->builder, CASE_TID, a, WORK_COPY);  /* 1 */
	case_launch(c, a, 2);                                 /* 2, 3 */
	builder_submit(&c->builder, CASE_TID, b, WORK_GRAPH); /* 4 */
	case_launch(c, b, 200);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 4); /* first on its stream */
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, 2);
	CHECK_EQUAL(c->verdict.suspects[2].record.sequence, 5);
	CHECK_EQUAL(c->verdict.n_suspects, 204);
	/*
	 * A copy comes after all kernels, but a suspect that is alone in its group is always
	 * listed.
	 */
	CHECK_EQUAL(c->verdict.suspects[VERDICT_MAX_SUSPECTS - 1].record.sequence, 1);
	CHECK_EQUAL(c->verdict.n_groups, 3);
	CHECK_EQUAL(c->verdict.groups[0].n, 1);
	CHECK_EQUAL(c->verdict.groups[1].n, 202);
	CHECK_EQUAL(c->verdict.groups[1].earliest, 2);
	CHECK_EQUAL(c->verdict.groups[1].latest, 204);
	CHECK_EQUAL(c->verdict.groups[2].first.record.sequence, 1);
	CHECK_EQUAL(c->verdict.n_ungrouped, 0);
	CHECK_EQUAL(c->verdict.lead, LEAD_NONE);
	CHECK_EQUAL(c->verdict.streams[0].stream, b);
	case_end(c);
}

static void test_contradiction(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch(c, stream, 3);
	builder_mark(&c->builder, stream, 99);
	case_judge(c, ILLEGAL_ADDRESS);
	case_check_unknown(c, UNKNOWN_BAD_BUNDLE);
	case_end(c);
}

static void test_huge_numbers_lose_nothing(void)
{
	struct verdict_case *c = case_begin();
	uint32_t a = case_stream(c);
	uint32_t b = case_stream(c);
	builder_stream_row(&c->builder, a)->submitted = UINT64_MAX;
	builder_stream_row(&c->builder, b)->submitted = 1;
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_RECORDS_LOST)->count, -1);
	case_end(c);
}

static void test_unseen_work_forbids_exact(void)
{
	static const enum verdict_class classes[] = {
		[0] = VERDICT_EXACT,
		[FAILURE_UNKNOWN_LAUNCH] = VERDICT_LIKELY,
		[FAILURE_STREAMS_LOST] = VERDICT_NARROWED, /* others' work is not known */
	};
	for (uint32_t flag = 0; flag <= FAILURE_STREAMS_LOST; flag++) {
		struct verdict_case *c = case_begin();
		case_launch(c, case_stream(c), 1);
		builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize")->flags =
			flag;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, classes[flag], 1);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_ONLY_SUSPECT) != NULL, flag == 0);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNSEEN_LAUNCH) != NULL,
			    flag == FAILURE_UNKNOWN_LAUNCH);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNPLACED) != NULL,
			    flag == FAILURE_STREAMS_LOST);
		case_end(c);
	}
}

/* The only suspect left may be innocent: work that culprit did not see may have failed. */
static void test_work_past_culprit_forbids_a_name(void)
{
	static const enum failure_flags flags[] = {FAILURE_UNSEEN_BETWEEN, FAILURE_UNSEEN_NEWEST,
						   FAILURE_UNSEEN_STREAM};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct verdict_case *c = case_begin();
		case_launch(c, case_stream(c), 1);
		builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize")->flags =
			flags[i];
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_NARROWED, 1);
		CHECK(c->verdict.has_unseen && !c->verdict.is_complete);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_UNSEEN_WORK)->count, flags[i]);
		CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
		case_end(c);
	}
}

static void test_bypassing_modules_are_named(void)
{
	struct verdict_case *c = case_begin();
	uint32_t path = builder_string(&c->builder, "/opt/lib/db_plugin.so");
	(void)builder_module(&c->builder, "/opt/lib/other.so", 0x1000, 0x2000);
	uint32_t id = 0;
	struct module_row *row = builder_rows(&c->builder, JOURNAL_MODULES, 2, &id);
	row[0].use = ROW_USE_NONE; /* is being written */
	row[1] = (struct module_row){
		.start = 0x3000, .end = 0x4000, .path = path, .flags = MODULE_BYPASSES};
	case_launch(c, case_stream(c), 1);
	builder_fail(&c->builder, ILLEGAL_ADDRESS, CASE_TID, "cuCtxSynchronize")->flags =
		FAILURE_BYPASSED;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_BYPASSED)->call, path);
	case_end(c);
}

/* A check of culprit's own may have read where it must not, but it asserts nothing. */
static void test_checks_forbid_exact(void)
{
	struct verdict_case *c = case_begin();
	uint32_t id = 0;
	case_launch(c, case_stream(c), 1);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	(void)builder_rows(&c->builder, JOURNAL_CHECKS, 1, &id);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	CHECK(case_evidence(c, EVIDENCE_CHECKS));
	case_end(c);
	c = case_begin(); /* of a graph that has no row */
	case_launch(c, case_stream(c), 1);
	(void)builder_rows(&c->builder, JOURNAL_GRAPH_CHECKS, 1, &id);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_LIKELY, 1);
	case_end(c);
	c = case_begin();
	case_launch(c, case_stream(c), 1);
	(void)builder_rows(&c->builder, JOURNAL_CHECKS, 1, &id);
	case_judge(c, ASSERT);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	case_end(c);
}

/* With GPU core dumps on, work after the fault may have run, and its marker may have landed. */
static void test_coredumps_without_dump(void)
{
	struct verdict_case *c = case_begin();
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 3, RECORD_MARKED_INLINE);
	builder_mark(&c->builder, stream, 2);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 3);
	builder_failure_row(&c->builder)->flags = FAILURE_COREDUMPS;
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_NARROWED, 3);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(case_evidence(c, EVIDENCE_COREDUMPS) && !c->verdict.coredump);
	CHECK(!case_evidence(c, EVIDENCE_ONLY_SUSPECT));
	/* All work seems to be finished. It is not, and one of the launches failed. */
	builder_sync(&c->builder, stream, 3, "cuCtxSynchronize");
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	case_end(c);
}

/* Nothing points at the only launch that has a record. */
static void test_coredumps_and_lost_work(void)
{
	static const uint32_t doubts[] = {FAILURE_STREAMS_LOST, FAILURE_SHARED};
	for (uint32_t i = 0; i < 2; i++) {
		struct verdict_case *c = case_begin();
		case_launch(c, case_stream(c), 1);
		case_judge(c, ILLEGAL_ADDRESS);
		builder_failure_row(&c->builder)->flags = FAILURE_COREDUMPS;
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_LIKELY, 1);
		builder_failure_row(&c->builder)->flags = FAILURE_COREDUMPS | doubts[i];
		case_judge(c, ILLEGAL_ADDRESS);
		CHECK_VERDICT(c, VERDICT_NARROWED, 1);
		case_end(c);
	}
}

/* More work is unfinished than the room that is kept for records that come meanwhile. */
static void test_much_unfinished(void)
{
	enum { N = 3000 };
	struct verdict_case *c = case_begin();
	c->builder.ring_capacity = (uint64_t)2 * N;
	uint32_t stream = case_stream(c);
	case_launch_flagged(c, stream, 1, RECORD_MARKED_INLINE);
	case_launch(c, stream, N);
	case_judge(c, ILLEGAL_ADDRESS);
	CHECK_VERDICT(c, VERDICT_EXACT, 1);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_STREAM_ORDER)->count, N);
	case_end(c);
}

int main(void)
{
	test_much_unfinished();
	test_no_failure();
	test_scratch_too_small();
	test_only_one_unfinished();
	test_other_streams_are_suspects();
	test_asserts_come_from_kernels();
	test_unable_work_still_holds_its_stream();
	test_strict_beats_likely();
	test_nothing_unfinished();
	test_ranking();
	test_contradiction();
	test_huge_numbers_lose_nothing();
	test_unseen_work_forbids_exact();
	test_work_past_culprit_forbids_a_name();
	test_bypassing_modules_are_named();
	test_checks_forbid_exact();
	test_coredumps_without_dump();
	test_coredumps_and_lost_work();
	return 0;
}
