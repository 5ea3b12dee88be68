/*
 * test_fault_late.c - an exception that the GPU may have noticed late: finished work that runs the
 * same code weakens the verdict, unless the program has waited for it and gone on.
 */
#include "fault/fault_case.h"

static struct verdict_case *c;
static uint32_t stream; /* all work in it finishes */

/* Launch a kernel in the stream, and let all finish there. */
static void finish_launch(uint32_t tid, uint32_t function)
{
	builder_launch(&c->builder, tid, stream, function, NULL, 0);
	builder_mark(&c->builder, stream, builder_stream_row(&c->builder, stream)->submitted);
}

/* One kernel, #5, is at the program counter. Another stream launches this function, and finishes.
 */
static void begin(uint32_t function)
{
	c = fault_begin();
	fault_add_words(c);
	stream = case_stream(c);
	finish_launch(CASE_TID, function);
}

/* A wait of the thread for the stream, or with 0 for all of the context. */
static struct journal_record *wait_in(uint32_t tid, uint32_t waited)
{
	struct journal_record *record = builder_record(&c->builder, tid, RECORD_SYNC);
	record->sequence = c->builder.sequence;
	record->stream = waited;
	record->ordinal = waited ? 1 : 0;
	return record;
}

static void judge(void)
{
	fault_add_exception(c, PC);
	fault_judge(c);
}

/* The kernel at the program counter is exact, or `n_late` others weaken it. Ends the case. */
static void check(uint64_t n_late)
{
	const struct evidence *late = case_evidence(c, EVIDENCE_FAULT_LATE);
	CHECK_VERDICT(c, n_late ? VERDICT_LIKELY : VERDICT_EXACT, 5);
	CHECK_EQUAL(late ? late->count : 0, n_late);
	case_end(c);
}

static void test_the_same_kernel_weakens(void)
{
	begin(3);
	judge();
	check(1);
	begin(3);
	finish_launch(CASE_TID, 3);
	judge();
	check(2);
}

static void test_another_kernel_does_not(void)
{
	begin(2);
	judge();
	check(0);
}

/* Code of unknown size has no end: the same kernel is still known by its start. */
static void test_sizes_are_not_needed(void)
{
	begin(3);
	fault_add_exception(c, PC);
	fault_sizes[3] = (struct code_size){.least = 0};
	fault_judge(c);
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, 1);
	case_end(c);
}

/* Traps, assertions and memory faults are not noticed late. */
static void test_other_faults_are_not_late(void)
{
	begin(3);
	fault_add_exception(c, PC);
	fault_judge_code(c, 719);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_LATE));
	case_end(c);
	begin(3);
	fault_add_row(c, FAULT_EVENT)->flags = FAULT_ADDRESS_PAGE;
	fault_judge_code(c, 700);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_LATE));
	case_end(c);
}

static void test_a_wait_settles_it_if_a_later_kernel_has_finished(void)
{
	for (int is_later = 0; is_later < 2; is_later++) {
		begin(3);
		wait_in(CASE_TID, stream);
		if (is_later)
			finish_launch(CASE_TID, 1);
		judge();
		check(is_later ? 0 : 1);
	}
	/* The later kernel was launched before the wait returned. */
	begin(3);
	finish_launch(CASE_TID, 1);
	wait_in(CASE_TID, stream);
	judge();
	check(1);
	/* The later work is a copy. */
	begin(3);
	wait_in(CASE_TID, stream);
	builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	builder_mark(&c->builder, stream, 2);
	judge();
	check(1);
	/* A wait for another stream. */
	begin(3);
	wait_in(CASE_TID, stream - 1);
	finish_launch(CASE_TID, 1);
	judge();
	check(1);
}

/* Another thread's submission may be newer than the wait, which returned after it. */
static void test_a_wait_for_the_context_settles_its_threads_work(void)
{
	for (int is_own = 0; is_own < 2; is_own++) {
		begin(3);
		wait_in(is_own ? CASE_TID : CASE_TID + 1, 0);
		finish_launch(CASE_TID, 1);
		judge();
		check(is_own ? 0 : 1);
	}
}

/* The newest of a thread's waits counts, and a wait that failed does not. */
static void test_waits_of_one_thread(void)
{
	for (int is_failed = 0; is_failed < 2; is_failed++) {
		begin(3);
		wait_in(CASE_TID, 0);
		finish_launch(CASE_TID, 3);
		wait_in(CASE_TID, 0)->result = is_failed;
		finish_launch(CASE_TID, 1);
		judge();
		check(is_failed ? 1 : 0);
	}
}

/* Waits of so many threads are known. Without one that is known, work stays as it is. */
static void test_waits_of_many_threads(void)
{
	enum { MOST = 64 };
	for (uint32_t n_others = MOST - 1; n_others <= MOST; n_others++) {
		begin(3);
		for (uint32_t i = 0; i < n_others; i++)
			wait_in(CASE_TID, 0)->tid = 1000 + i;
		wait_in(CASE_TID, 0);
		finish_launch(CASE_TID, 1);
		judge();
		check(n_others < MOST ? 0 : 1);
	}
}

/* A call that failed, one whose stream is not known, and one after the failure was seen. */
static void test_only_finished_work_counts(void)
{
	begin(3);
	builder_reject(&c->builder, builder_launch(&c->builder, CASE_TID, stream, 3, NULL, 0), 1);
	finish_launch(CASE_TID, 1);
	judge();
	check(1);
	begin(3);
	struct journal_record *lost = builder_launch(&c->builder, CASE_TID, stream, 3, NULL, 0);
	lost->stream = 999;
	judge();
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, 1);
	case_end(c);
	begin(3);
	builder_fail(&c->builder, MISALIGNED, CASE_TID, "cuCtxSynchronize");
	finish_launch(CASE_TID, 3);
	judge();
	check(1);
}

/* The culprit has finished: what the driver says of the fault is refused, and nobody is named. */
static void test_no_suspect_runs_the_code(void)
{
	begin(3);
	for (uint32_t i = 1; i <= N_KERNELS; i++)
		if (i != 2)
			builder_mark(&c->builder, i, 2);
	fault_sizes[2] = (struct code_size){.least = 0};
	judge();
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, 2);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 1);
	CHECK(!c->verdict.is_complete);
	case_end(c);
}

static void test_several_suspects_are_not_complete(void)
{
	begin(3);
	builder_launch(&c->builder, CASE_TID, case_stream(c), 3, NULL, 0);
	judge();
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 2);
	CHECK(!c->verdict.is_complete);
	case_end(c);
}

int main(void)
{
	test_the_same_kernel_weakens();
	test_another_kernel_does_not();
	test_sizes_are_not_needed();
	test_other_faults_are_not_late();
	test_a_wait_settles_it_if_a_later_kernel_has_finished();
	test_a_wait_for_the_context_settles_its_threads_work();
	test_waits_of_one_thread();
	test_waits_of_many_threads();
	test_only_finished_work_counts();
	test_no_suspect_runs_the_code();
	test_several_suspects_are_not_complete();
	return 0;
}
