/*
 * test_failure.c - what the thread that sees a failure first does, in which order, and what it
 * writes into the failure's row. The recorder is simulated here. The model checks of this file have
 * several threads.
 */
#include "failure/failure.h"

#include <string.h>

#include "failure/failure_stubs.h"
#include "record/journal/sequence.h"
#include "record/thread.h"
#include "support/check.h"

static void consider(CUresult result)
{
	static struct thread thread = {.tid = TID};
	const struct observer observer = {.thread = &thread,
					  .frame = &thread,
					  .id = CALL_cuCtxSynchronize,
					  .stream = STREAM,
					  .context = ABOUT};
	failure_stubs.n_steps = 0;
	failure_stubs.steps[0] = '\0';
	failure_consider(&observer, result);
}

static void check_nothing_failed(void)
{
	CHECK(!failure_has_happened());
	CHECK_EQUAL(failure_code(), CUDA_SUCCESS);
	CHECK_EQUAL(failure_sequence(), 0);
	CHECK_EQUAL(failure_discoverer(), 0);
	CHECK_EQUAL(failure_stubs.n_rows, 0);
}

static void test_other_errors_are_ignored(void)
{
	consider(CUDA_ERROR_INVALID_VALUE);
	CHECK(!strcmp(failure_stubs.steps, ""));
	check_nothing_failed();
}

/* An error that the driver does not confirm, and a doubted success without a readable dump. */
static void test_errors_are_confirmed(void)
{
	const char *headline = NULL;
	const char *directory = NULL;
	failure_stubs.confirmed = CUDA_SUCCESS;
	consider(CODE);
	CHECK(!strcmp(failure_stubs.steps, "()"));
	CHECK_EQUAL(failure_stubs.n_given_up, 0);
	consider(CUDA_SUCCESS);
	CHECK(!strcmp(failure_stubs.steps, "()"));
	CHECK_EQUAL(failure_stubs.n_given_up, 1);
	check_nothing_failed();
	CHECK_EQUAL(failure_reported(&headline, &directory), CUDA_SUCCESS);
	CHECK(!*headline && !*directory);
}

/*
 * With core dumps on, a success may be doubted, and graphs' words may be of work after the fault.
 */
static void test_failure(bool has_less)
{
	failure_stubs.confirmed = CODE;
	failure_stubs.are_dumps_on = has_less;
	failure_stubs.has_no_mappings = has_less;
	if (!has_less)
		failure_before_verdict(act_before_verdict);
	failure_start(!has_less);
	consider(has_less ? CUDA_SUCCESS : CODE);
	CHECK(!strcmp(failure_stubs.steps,
		      has_less ? "(MdmurkchfaFRonVsw)" : "(MdmurkchbfgpaFRonVsw)"));
	const uint32_t flags = FAILURE_COREDUMP_MISSING | FAILURE_UNKNOWN_LAUNCH |
			       FAILURE_STREAMS_LOST | FAILURE_CHECKPOINTED | FAILURE_BYPASSED |
			       2 * FAILURE_UNSEEN_BETWEEN | FAILURE_SHARED |
			       (has_less ? 0 : FAILURE_LAUNCH_BLOCKING);
	CHECK_EQUAL(failure_stubs.rows[0].code, CODE);
	CHECK_EQUAL(failure_stubs.rows[0].call, CALL_NAME);
	CHECK_EQUAL(failure_stubs.rows[0].tid, TID);
	CHECK_EQUAL(failure_stubs.rows[0].stack, STACK);
	CHECK_EQUAL(failure_stubs.rows[0].stream, STREAM);
	CHECK_EQUAL(failure_stubs.rows[0].time_ns, 1234);
	CHECK_EQUAL(failure_stubs.rows[0].sequence, NEWEST);
	CHECK_EQUAL(failure_stubs.rows[0].n_sticky, 1);
	CHECK_EQUAL(failure_stubs.rows[0].flags, flags);
	CHECK(failure_has_happened());
	CHECK_EQUAL(failure_code(), CODE);
	CHECK_EQUAL(failure_sequence(), NEWEST);
	CHECK_EQUAL(failure_discoverer(), TID);
}

static void test_reported(void)
{
	const char *headline = NULL;
	const char *directory = NULL;
	const char *verdict = NULL;
	CHECK_EQUAL(failure_reported(&headline, &directory), CODE);
	CHECK(!strcmp(headline, "headline") && !strcmp(directory, "directory"));
	CHECK(!strcmp(failure_culprit(CODE, &verdict), "kernel") && !strcmp(verdict, "exact"));
	CHECK(!failure_culprit(CUDA_ERROR_ASSERT, &verdict));
}

/* Later errors of the same failure are counted, and move nothing. */
static void test_later_errors_are_counted(void)
{
	sequence_word = NEWEST + 1;
	consider(CODE);
	consider(CUDA_ERROR_INVALID_VALUE);
	CHECK(!strcmp(failure_stubs.steps, ""));
	CHECK_EQUAL(failure_stubs.rows[0].n_sticky, 2);
	CHECK_EQUAL(failure_stubs.rows[0].n_cleanups, 0);
	failure_count_cleanup();
	CHECK_EQUAL(failure_stubs.rows[0].n_cleanups, 1);
	CHECK_EQUAL(failure_sequence(), NEWEST);
}

static void test_a_later_failure_is_noted(void)
{
	CHECK(!failure_is_later(CODE));
	failure_stubs.later_code = CUDA_ERROR_ASSERT;
	CHECK(!failure_is_later(CUDA_ERROR_INVALID_VALUE));
	CHECK(!(failure_stubs.rows[0].flags & FAILURE_FOLLOWED) && failure_stubs.n_warnings == 0);
	CHECK(failure_is_later(failure_stubs.later_code));
	CHECK(failure_stubs.rows[0].flags & FAILURE_FOLLOWED);
	CHECK_EQUAL(failure_stubs.n_warnings, 1);
	/* The code may be that of the later failure. */
	CHECK(!failure_culprit(CODE, NULL));
}

/* A process has one failure, so each kind is a process of its own. */
int main(int argc, char **argv)
{
	CHECK(argc <= 2);
	test_other_errors_are_ignored();
	test_errors_are_confirmed();
	test_failure(argc == 2 && !strcmp(argv[1], "less"));
	test_reported();
	test_later_errors_are_counted();
	test_a_later_failure_is_noted();
	return 0;
}
