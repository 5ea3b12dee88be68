/*
 * test_fault_late.c - a kernel that raised an exception may seem to have succeeded: finished work
 * that runs the same code is suspect, unless something clears it.
 */
#include "fault/fault_case.h"

static struct verdict_case *c;
static uint32_t stream; /* all work in it finishes */

/* One kernel, #5, is at the program counter. Another stream launches this function, and finishes.
 */
static void begin(uint32_t function)
{
	c = fault_begin();
	fault_add_words(c);
	stream = case_stream(c);
	fault_finish_launch(c, stream, function);
}

/* A kernel in a stream of its own, which has finished; then a wait for it. */
static void finish_kernel_elsewhere(uint32_t function, bool is_waited)
{
	uint32_t other = case_stream(c);
	builder_launch(&c->builder, CASE_TID, other, function, NULL, 0);
	builder_time(&c->builder, 1); /* the driver may have recovered */
	builder_mark(&c->builder, other, 1);
	if (is_waited)
		fault_wait(c, CASE_TID, other, 1);
}

static void finish_elsewhere(bool is_waited)
{
	finish_kernel_elsewhere(1, is_waited);
}

static void judge(void)
{
	fault_add_exception(c, PC);
	fault_judge(c);
}

/*
 * The kernel at the program counter is the only suspect, or `n_late` launches that have finished
 * come after it, the newest first. Ends the case.
 */
static void check(uint64_t n_late)
{
	const struct evidence *late = case_evidence(c, EVIDENCE_FAULT_LATE);
	CHECK_VERDICT(c, n_late ? VERDICT_NARROWED : VERDICT_EXACT, 5);
	CHECK_EQUAL(c->verdict.is_complete, n_late > 0);
	CHECK_EQUAL(c->verdict.n_suspects, 1 + n_late);
	for (uint64_t i = 2; i <= n_late; i++)
		CHECK(c->verdict.suspects[i].record.sequence <
		      c->verdict.suspects[i - 1].record.sequence);
	CHECK_EQUAL(late ? late->count : 0, n_late);
	case_end(c);
}

static void test_the_same_kernel_weakens(void)
{
	begin(3);
	judge();
	check(1);
	begin(3);
	fault_finish_launch(c, stream, 3);
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
	CHECK(case_suspects(c, 9));
	case_end(c);
}

/* A thread that waits for the value that it loads cannot be over. */
static void test_a_thread_that_waits_is_not_late(void)
{
	enum { NOT, AWAITED, TOO_FAR, NOT_INSIDE, N_CASES };
	for (int i = 0; i < N_CASES; i++) {
		static uint8_t accesses[2], awaited[2];
		uint32_t place = (uint32_t)(PC - fault_starts[3]) / 16;
		begin(3);
		accesses[place / 8] = (uint8_t)(1 << place % 8);
		awaited[place / 8] = (uint8_t)((i != NOT) << place % 8);
		fault_sizes[3].accesses = accesses;
		fault_sizes[3].awaited = awaited;
		fault_sizes[3].n_accesses = i == TOO_FAR ? place : 16;
		if (i == NOT_INSIDE)
			fault_sizes[3].least = place * 16;
		judge();
		if (i == NOT_INSIDE) {
			CHECK(case_evidence(c, EVIDENCE_FAULT_LATE));
			case_end(c);
		} else {
			check(i == AWAITED ? 0 : 1);
		}
	}
}

/* Nobody knows whose code is at the program counter: any kernel that has finished may have it. */
static void test_any_kernel_may_be_late_at_unknown_code(void)
{
	for (int is_graph = 0; is_graph < 2; is_graph++) {
		begin(2);
		case_find(c, 9)->work = is_graph ? WORK_GRAPH : WORK_KERNEL;
		fault_add_exception(c, 0x1230);
		fault_judge(c);
		CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, 1);
		CHECK(case_suspects(c, 9));
		case_end(c);
	}
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

static void test_two_later_kernels_of_its_stream_settle_it(void)
{
	for (int n = 1; n <= 3; n++) {
		begin(3);
		for (int i = 0; i < n; i++)
			fault_finish_launch(c, stream, 1);
		judge();
		check(n < 2 ? 1 : 0);
	}
	/* Kernels of another stream. */
	begin(3);
	finish_elsewhere(false);
	finish_elsewhere(false);
	judge();
	check(1);
	/* A copy does not count, nor a programmatic launch: that may have started before. */
	begin(3);
	fault_finish_launch(c, stream, 1);
	builder_submit(&c->builder, CASE_TID, stream, WORK_COPY);
	builder_mark(&c->builder, stream, 3);
	judge();
	check(1);
	begin(3);
	fault_finish_launch(c, stream, 1);
	fault_finish_launch(c, stream, 1);
	case_find(c, c->builder.sequence)->flags |= RECORD_OVERLAPS;
	judge();
	check(1);
}

/* More work for its stream, or a wait for it, `us` microseconds after the launch. */
static void check_quick(enum record_kind kind, enum work_kind work, uint16_t flags, uint64_t us,
			bool is_settled)
{
	begin(3);
	c->builder.time_ns += 1000 * us - 1000 * 1000;
	if (kind == RECORD_SYNC) {
		fault_wait(c, CASE_TID + 1, stream, 1);
	} else {
		builder_submit(&c->builder, CASE_TID, stream, work)->flags |= flags;
		if (us == 0) /* and no record after it */
			c->builder.time_ns += 1000 * 1000;
		else
			builder_record(&c->builder, CASE_TID, RECORD_EVENT_RECORD);
		builder_mark(&c->builder, stream, 2);
	}
	judge();
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE) == NULL, is_settled);
	case_end(c);
}

/* Each record is a microsecond after the one before. */
static void test_what_came_soon_after_it_settles_it(void)
{
	check_quick(RECORD_SYNC, 0, 0, 1, true);
	check_quick(RECORD_SYNC, 0, 0, 248, true);
	check_quick(RECORD_SYNC, 0, 0, 249, false);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, 0, 1, true);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, 0, 247, true);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, 0, 248, false);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, 0, 0, false);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, RECORD_UNORDERED, 1, false);
	check_quick(RECORD_SUBMISSION, WORK_KERNEL, RECORD_OVERLAPS, 1, false);
	check_quick(RECORD_SUBMISSION, WORK_COPY, 0, 1, false);
}

static void test_going_on_twice_after_waits_settles_it(void)
{
	enum { FIRST = 1, SECOND = 2, LATER = 4, ALL = 7 };
	for (int waits = 0; waits <= ALL; waits++) {
		begin(3);
		if (waits & FIRST)
			fault_wait(c, CASE_TID, stream, 1);
		finish_elsewhere(waits & SECOND);
		if (waits & LATER)
			finish_elsewhere(false);
		judge();
		check(waits == ALL ? 0 : 1);
	}
	/* The kernel was launched before the first wait returned. */
	begin(3);
	uint32_t other = case_stream(c);
	builder_launch(&c->builder, CASE_TID, other, 1, NULL, 0);
	builder_mark(&c->builder, other, 1);
	fault_wait(c, CASE_TID, stream, 1);
	fault_wait(c, CASE_TID, other, 1);
	finish_elsewhere(false);
	judge();
	check(1);
	/* The first wait was for another stream. */
	begin(3);
	fault_wait(c, CASE_TID, stream - 1, 1);
	finish_elsewhere(true);
	finish_elsewhere(false);
	judge();
	check(1);
}

/* Another thread's submission may be newer than the wait, which returned after it. */
static void test_a_wait_for_the_context_settles_its_threads_work(void)
{
	for (int is_own = 0; is_own < 2; is_own++) {
		begin(3);
		fault_wait(c, is_own ? CASE_TID : CASE_TID + 1, 0, 0);
		finish_elsewhere(true);
		finish_elsewhere(false);
		judge();
		check(is_own ? 0 : 1);
	}
}

/* The newest of a thread's waits counts, and a wait that failed does not. */
static void test_waits_of_one_thread(void)
{
	for (int is_failed = 0; is_failed < 2; is_failed++) {
		begin(3);
		fault_wait(c, CASE_TID, 0, 0);
		finish_kernel_elsewhere(3, false);
		fault_wait(c, CASE_TID, 0, 0)->result = is_failed;
		finish_elsewhere(true);
		finish_elsewhere(false);
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
			fault_wait(c, CASE_TID, 0, 0)->tid = 1000 + i;
		fault_wait(c, CASE_TID, 0, 0);
		finish_elsewhere(true);
		finish_elsewhere(false);
		judge();
		check(n_others < MOST ? 0 : 1);
	}
}

/* A call that failed, one whose stream is not known, and one after the failure was seen. */
static void test_only_finished_work_counts(void)
{
	begin(3);
	builder_reject(&c->builder, builder_launch(&c->builder, CASE_TID, stream, 3, NULL, 0), 1);
	fault_finish_launch(c, stream, 1);
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
	fault_finish_launch(c, stream, 3);
	judge();
	check(1);
}

/* The kernel at the program counter has finished, and others run in other streams. */
static void test_no_unfinished_work_runs_the_code(void)
{
	for (int n = 1; n <= 2; n++) {
		begin(n == 1 ? 1 : 3);
		builder_mark(&c->builder, 3, 2);
		judge();
		CHECK_VERDICT(c, n == 1 ? VERDICT_LIKELY : VERDICT_NARROWED, n == 1 ? 5 : 9);
		CHECK_EQUAL(c->verdict.n_suspects, n);
		CHECK(!case_evidence(c, EVIDENCE_FAULT_REFUSED));
		CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, n);
		case_end(c);
	}
}

/* Two program counters: a kernel that runs has one, and one that has finished has the other. */
static void test_finished_work_explains_a_program_counter(void)
{
	begin(1);
	builder_mark(&c->builder, 1, 2);
	fault_add_exception(c, BASE + 0x10);
	judge();
	CHECK_VERDICT(c, VERDICT_NARROWED, 5);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK(!case_evidence(c, EVIDENCE_FAULT_REFUSED));
	case_end(c);
}

/* Nobody can be at one of the program counters: what the driver says is refused as a whole. */
static void test_a_refused_fault_names_no_finished_work(void)
{
	begin(3);
	builder_launch(&c->builder, CASE_TID, 2, 1, NULL, 0);
	builder_launch(&c->builder, CASE_TID, 2, 1, NULL, 0);
	builder_mark(&c->builder, 2, 4);
	fault_add_exception(c, BASE + 0x80 + 0x10);
	judge();
	CHECK(case_evidence(c, EVIDENCE_FAULT_REFUSED));
	CHECK_EQUAL(case_evidence(c, EVIDENCE_FAULT_LATE)->count, 1);
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, N_KERNELS - 1);
	CHECK(!case_suspects(c, 9));
	CHECK(!c->verdict.is_complete);
	case_end(c);
}

static void test_several_suspects_are_complete(void)
{
	begin(3);
	builder_launch(&c->builder, CASE_TID, case_stream(c), 3, NULL, 0);
	judge();
	CHECK_EQUAL(c->verdict.class, VERDICT_NARROWED);
	CHECK_EQUAL(c->verdict.n_suspects, 3);
	CHECK_EQUAL(c->verdict.suspects[2].record.sequence, 9);
	CHECK(c->verdict.is_complete);
	case_end(c);
}

/* Streams of their own, so that each launch is its stream's newest. */
static void test_many_are_counted_and_the_newest_named(void)
{
	enum { KEPT = 16, MORE = KEPT + 3 };
	begin(3);
	for (int i = 1; i < MORE; i++)
		finish_kernel_elsewhere(3, false);
	judge();
	CHECK_EQUAL(c->verdict.n_suspects, 1 + MORE);
	CHECK_EQUAL(c->verdict.n_ungrouped, MORE - KEPT);
	CHECK_EQUAL(c->verdict.suspects[1].record.sequence, c->builder.sequence);
	CHECK_EQUAL(c->verdict.suspects[KEPT].record.sequence, c->builder.sequence - KEPT + 1);
	case_end(c);
}

int main(void)
{
	test_the_same_kernel_weakens();
	test_another_kernel_does_not();
	test_sizes_are_not_needed();
	test_a_thread_that_waits_is_not_late();
	test_any_kernel_may_be_late_at_unknown_code();
	test_other_faults_are_not_late();
	test_two_later_kernels_of_its_stream_settle_it();
	test_what_came_soon_after_it_settles_it();
	test_going_on_twice_after_waits_settles_it();
	test_a_wait_for_the_context_settles_its_threads_work();
	test_waits_of_one_thread();
	test_waits_of_many_threads();
	test_only_finished_work_counts();
	test_no_unfinished_work_runs_the_code();
	test_finished_work_explains_a_program_counter();
	test_a_refused_fault_names_no_finished_work();
	test_several_suspects_are_complete();
	test_many_are_counted_and_the_newest_named();
	return 0;
}
