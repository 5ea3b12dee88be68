/*
 * test_doubt.c - which successes are doubted, and what such a call is then said to have returned.
 * Without core dumps none is doubted. Before a failure, successes that show that the GPU was well
 * are doubted; after it, those that would fail.
 */
#include "failure/doubt.h"

#include <errno.h>

#include "failure/failure.h"
#include "record/driver/driver_events.h"
#include "support/check.h"

enum { FAILED_AT = 70 }; /* the newest submission at the failure */

bool coredumps_watched;
static bool has_dump;
static CUresult failed; /* CUDA_SUCCESS: not yet */
static unsigned n_looks;

bool coredumps_have_one(void)
{
	errno = ENOENT;
	return has_dump;
}

bool driver_events_settle(bool (*has_come)(void))
{
	n_looks++;
	return has_come();
}

bool failure_has_happened(void)
{
	return failed != CUDA_SUCCESS;
}

CUresult failure_code(void)
{
	return failed;
}

uint64_t failure_sequence(void)
{
	return failed ? FAILED_AT : 0;
}

static void set(bool are_watched, bool is_dump_there, CUresult code)
{
	coredumps_watched = are_watched;
	has_dump = is_dump_there;
	failed = code;
	n_looks = 0;
}

static void test_without_dumps(void)
{
	set(false, true, CUDA_ERROR_ASSERT);
	CHECK(!doubt_is_on());
	CHECK(!doubt_has_dump());
	for (int id = 0; id < N_DRIVER_CALLS; id++) {
		CHECK(!doubt_success((enum driver_call)id, 0));
		CHECK_EQUAL(doubt_result((enum driver_call)id, CUDA_ERROR_ASSERT),
			    CUDA_ERROR_ASSERT);
		CHECK_EQUAL(doubt_result((enum driver_call)id, CUDA_SUCCESS), CUDA_SUCCESS);
	}
	CHECK_EQUAL(n_looks, 0);
}

static void test_before_the_failure(void)
{
	set(true, false, CUDA_SUCCESS);
	CHECK(!doubt_success(CALL_cuCtxSynchronize, 0));
	CHECK_EQUAL(n_looks, 1);
	set(true, true, CUDA_SUCCESS);
	errno = EINTR;
	CHECK(doubt_success(CALL_cuCtxSynchronize, 0));
	CHECK_EQUAL(errno, EINTR);
	CHECK(doubt_success(CALL_cuStreamQuery, 0));
	CHECK(doubt_success(CALL_cuMemcpyDtoH_v2, 5));
	CHECK(doubt_success(CALL_cuMemAlloc_v2, 0));
	CHECK(doubt_success(CALL_cuMemFree_v2, 0));
	CHECK_EQUAL(n_looks, 5);
	/*
	 * Calls that only queue work, and frees, which never return an earlier fault, are not
	 * checked.
	 */
	CHECK(!doubt_success(CALL_cuLaunchKernel, 5));
	CHECK(!doubt_success(CALL_cuMemUnmap, 0));
	CHECK(!doubt_success(CALL_cuMemFreeAsync, 0));
	CHECK_EQUAL(n_looks, 5);
	CHECK_EQUAL(doubt_result(CALL_cuCtxSynchronize, CUDA_SUCCESS), CUDA_SUCCESS);
	CHECK_EQUAL(doubt_result(CALL_cuCtxSynchronize, CUDA_ERROR_INVALID_VALUE),
		    CUDA_ERROR_INVALID_VALUE);
}

static void test_after_the_failure(void)
{
	set(true, true, CUDA_ERROR_ASSERT);
	CHECK(doubt_success(CALL_cuLaunchKernel, FAILED_AT + 1));
	CHECK(doubt_success(CALL_cuLaunchKernel, 0));
	CHECK(!doubt_success(CALL_cuLaunchKernel, FAILED_AT)); /* started before it */
	CHECK(doubt_success(CALL_cuMemcpyDtoH_v2, FAILED_AT)); /* but this waited for it */
	CHECK(doubt_success(CALL_cuMemGetInfo_v2, 0));
	CHECK(!doubt_success(CALL_cuMemMap, 0));
	CHECK(!doubt_success(CALL_cuDeviceGetCount, 0));
	CHECK_EQUAL(n_looks, 0);
}

static void test_result_after_the_failure(void)
{
	set(true, true, CUDA_ERROR_ASSERT);
	CHECK_EQUAL(doubt_result(CALL_cuCtxSynchronize, CUDA_SUCCESS), CUDA_ERROR_ASSERT);
	CHECK_EQUAL(doubt_result(CALL_cuCtxSynchronize, CUDA_ERROR_LAUNCH_FAILED),
		    CUDA_ERROR_ASSERT);
	CHECK_EQUAL(doubt_result(CALL_cuDeviceGetCount, CUDA_ERROR_LAUNCH_FAILED),
		    CUDA_ERROR_ASSERT);
	CHECK_EQUAL(doubt_result(CALL_cuDeviceGetCount, CUDA_ERROR_INVALID_VALUE),
		    CUDA_ERROR_INVALID_VALUE);
	/* The driver looks at these before it looks for an earlier fault. */
	static const CUresult first[] = {CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED,
					 CUDA_ERROR_INVALID_CONTEXT,
					 CUDA_ERROR_CONTEXT_IS_DESTROYED};
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		CHECK_EQUAL(doubt_result(CALL_cuLaunchKernel, first[i]), first[i]);
	CHECK_EQUAL(doubt_result(CALL_cuLaunchKernel, CUDA_ERROR_INVALID_VALUE), CUDA_ERROR_ASSERT);
}

int main(void)
{
	test_without_dumps();
	test_before_the_failure();
	test_after_the_failure();
	test_result_after_the_failure();
	return 0;
}
