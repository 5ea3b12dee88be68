/*
 * captures.c - count captures, so that the usual launch need not ask the driver.
 */
#include "record/driver/captures.h"

#include "base/hot.h"
#include "record/driver/driver.h"

/* The number of captures under way. A capture dropped with its context counts for ever. */
READ_MOSTLY int captures_under_way;

void captures_started(void)
{
	__atomic_fetch_add(&captures_under_way, 1, __ATOMIC_RELEASE);
}

void captures_finished(void)
{
	int n = __atomic_load_n(&captures_under_way, __ATOMIC_RELAXED);
	while (n > 0 && !__atomic_compare_exchange_n(&captures_under_way, &n, n - 1, true,
						     __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

/* Few programs have any. For more than fit, the driver is asked, as for any capture. */
static CUstream graphics[8]; /* atomic; NULL: free */
enum { N_GRAPHICS = sizeof(graphics) / sizeof(*graphics) };

static bool replace_graphics(CUstream old, CUstream new)
{
	for (int i = 0; i < N_GRAPHICS; i++) {
		CUstream expected = old;
		if (__atomic_compare_exchange_n(&graphics[i], &expected, new, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

/* Change the list before the count: a reader of the count (captures_stream) sees the stream. */
void captures_started_graphics(CUstream stream)
{
	(void)replace_graphics(NULL, stream);
	captures_started();
}

void captures_finished_graphics(CUstream stream)
{
	captures_finished();
	if (stream)
		(void)replace_graphics(stream, NULL);
}

static bool captures_graphics(CUstream stream)
{
	for (int i = 0; stream && i < N_GRAPHICS; i++)
		if (__atomic_load_n(&graphics[i], __ATOMIC_RELAXED) == stream)
			return true;
	return false;
}

COLD bool captures_ask(CUstream stream)
{
	if (captures_graphics(stream))
		return true;
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	CUresult result = real.cuStreamIsCapturing(stream, &status);
	return result != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUstreamCaptureMode captures_exchange_mode(CUstreamCaptureMode mode)
{
	(void)real.cuThreadExchangeStreamCaptureMode(&mode);
	return mode;
}
