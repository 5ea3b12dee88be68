/*
 * test_coredump_flags.c - what a failure's row says about core dumps: syncs are believed only if a
 * watched dump describes this very failure.
 */
#include "attribution/coredump_flags.h"

#include "base/journal_format.h"
#include "coredump/gpu_exceptions.h"
#include "support/check.h"

enum { ILLEGAL_ADDRESS = 700, ASSERT = 710 };

static const struct gpu_fault fault = {.exceptions = 1u << GPU_EXCEPTION_WARP_ILLEGAL_ADDRESS};

static void test_watched_dump_vouches(void)
{
	const struct coredump_use use = {.are_on = true, .are_watched = true};
	CHECK_EQUAL(coredump_flags_for(use, &fault, ILLEGAL_ADDRESS), FAILURE_SYNCS_WATCHED);
	CHECK_EQUAL(coredump_flags_for(use, &fault, ASSERT), FAILURE_COREDUMPS);
	CHECK_EQUAL(coredump_flags_for(use, NULL, ILLEGAL_ADDRESS), FAILURE_COREDUMPS);
}

/* The user's own dumps, and those of a process that exited before it saw an error. */
static void test_unwatched_dump_proves_nothing(void)
{
	const struct coredump_use use = {.are_on = true};
	CHECK_EQUAL(coredump_flags_for(use, &fault, ILLEGAL_ADDRESS), FAILURE_COREDUMPS);
	CHECK_EQUAL(coredump_flags_for(use, NULL, ILLEGAL_ADDRESS), FAILURE_COREDUMPS);
}

static void test_without_dumps(void)
{
	CHECK_EQUAL(coredump_flags_for((struct coredump_use){.are_on = false}, NULL, ASSERT), 0);
	CHECK_EQUAL(coredump_flags_for((struct coredump_use){.are_missing = true}, NULL, ASSERT),
		    FAILURE_COREDUMP_MISSING);
}

int main(void)
{
	test_watched_dump_vouches();
	test_unwatched_dump_proves_nothing();
	test_without_dumps();
	return 0;
}
