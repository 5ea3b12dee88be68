/*
 * test_event_check.c - what cuEventCheckError answers. The recorder is simulated here.
 */
#include "failure/event_check.h"

#include "failure/failure.h"
#include "record/driver/coredumps.h"
#include "record/host/recording.h"
#include "record/streams/events.h"
#include "record/streams/marker_readings.h"
#include "record/streams/stream_rows.h"
#include "support/check.h"

enum { STREAM = 3, ORDINAL = 7 };

static const CUevent EVENT = (CUevent)(uintptr_t)0x10;
static const CUevent OTHER_EVENT = (CUevent)(uintptr_t)0x20;

static struct stream_row row;
static uint64_t landed;
static CUresult failed; /* CUDA_SUCCESS: not yet */
bool coredumps_watched;
static uint32_t is_recording = true;
uint32_t *recording_flag = &is_recording;

bool events_find(CUevent event, struct event_point *out_point)
{
	if (event == EVENT)
		*out_point = (struct event_point){.stream = STREAM, .ordinal = ORDINAL};
	return event == EVENT;
}

struct stream_row *streams_row(uint32_t id)
{
	CHECK_EQUAL(id, STREAM);
	return &row;
}

uint64_t marker_readings_landed(uint32_t stream)
{
	CHECK_EQUAL(stream, STREAM);
	return landed;
}

bool failure_has_happened(void)
{
	return failed != CUDA_SUCCESS;
}

CUresult failure_code(void)
{
	return failed;
}

/* The work of the event is seen as finished by a sync up to `synced`, or by its newest marker. */
static CUresult answer(uint64_t synced, uint64_t marked, CUresult failure)
{
	CUresult result = CUDA_ERROR_UNKNOWN;
	row.synced = synced;
	landed = marked;
	failed = failure;
	CHECK_EQUAL(event_check_error(&result, EVENT, 0), CUDA_SUCCESS);
	return result;
}

static void test_finished_work_has_succeeded(void)
{
	CHECK_EQUAL(answer(ORDINAL, 0, CUDA_SUCCESS), CUDA_SUCCESS);
	CHECK_EQUAL(answer(ORDINAL, 0, CUDA_ERROR_ASSERT), CUDA_SUCCESS);
	CHECK_EQUAL(answer(0, ORDINAL, CUDA_ERROR_ASSERT), CUDA_SUCCESS);
}

static void test_other_work_has_failed_or_is_not_ready(void)
{
	CHECK_EQUAL(answer(ORDINAL - 1, ORDINAL - 1, CUDA_SUCCESS), CUDA_ERROR_NOT_READY);
	CHECK_EQUAL(answer(ORDINAL - 1, ORDINAL - 1, CUDA_ERROR_ASSERT), CUDA_ERROR_ASSERT);
}

/* While a core dump is written, work after the fault may run: its markers prove nothing. */
static void test_markers_prove_nothing_with_core_dumps(void)
{
	coredumps_watched = true;
	CHECK_EQUAL(answer(0, ORDINAL, CUDA_ERROR_ASSERT), CUDA_ERROR_ASSERT);
	CHECK_EQUAL(answer(ORDINAL, 0, CUDA_ERROR_ASSERT), CUDA_SUCCESS);
	coredumps_watched = false;
}

static void test_unusable_arguments(void)
{
	CUresult result = CUDA_ERROR_UNKNOWN;
	CHECK_EQUAL(event_check_error(NULL, EVENT, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(event_check_error(&result, EVENT, 1), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQUAL(event_check_error(&result, OTHER_EVENT, 0), CUDA_ERROR_INVALID_HANDLE);
	is_recording = false;
	CHECK_EQUAL(event_check_error(&result, EVENT, 0), CUDA_ERROR_INVALID_HANDLE);
	CHECK_EQUAL(result, CUDA_ERROR_UNKNOWN);
}

int main(void)
{
	test_finished_work_has_succeeded();
	test_other_work_has_failed_or_is_not_ready();
	test_markers_prove_nothing_with_core_dumps();
	test_unusable_arguments();
	return 0;
}
