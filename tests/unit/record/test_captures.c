/*
 * test_captures.c - which streams capture: those that the driver reports, and those that capture
 * for a graphics API, about which the driver is not asked.
 */
#include "record/driver/captures.h"

#include "record/driver/driver.h"
#include "support/check.h"

static int n_asked;
static char streams[10];

/* The last one captures a graph. */
static CUresult is_capturing(CUstream stream, CUstreamCaptureStatus *status)
{
	n_asked++;
	*status = stream == (CUstream)&streams[9] ? CU_STREAM_CAPTURE_STATUS_ACTIVE
						  : CU_STREAM_CAPTURE_STATUS_NONE;
	return CUDA_SUCCESS;
}

struct driver real = {.cuStreamIsCapturing = is_capturing};

static bool captures(int index)
{
	return captures_stream((CUstream)&streams[index]);
}

static void test_graphs(void)
{
	CHECK(!captures(9));
	CHECK_EQUAL(n_asked, 0);
	captures_started();
	CHECK(captures(9));
	CHECK(!captures(0));
	CHECK_EQUAL(n_asked, 2);
	captures_finished();
	CHECK(!captures(9));
	CHECK_EQUAL(n_asked, 2);
}

static void test_graphics(void)
{
	captures_started_graphics((CUstream)&streams[0]);
	n_asked = 0;
	CHECK(captures(0));
	CHECK_EQUAL(n_asked, 0);
	CHECK(!captures(1));
	CHECK(!captures_stream(NULL));
	CHECK_EQUAL(n_asked, 2);
	/* The driver is asked about the ninth. */
	for (int i = 1; i < 9; i++)
		captures_started_graphics((CUstream)&streams[i]);
	CHECK(captures(7) && !captures(8));
	for (int i = 0; i < 9; i++)
		captures_finished_graphics((CUstream)&streams[i]);
	CHECK(!captures(0));
	captures_started();
	CHECK(!captures(0));
	captures_finished();
}

int main(void)
{
	test_graphs();
	test_graphics();
	return 0;
}
