/*
 * captures.c - counts captures, so that the usual launch need not ask.
 */
#include "captures.h"

#include "driver.h"
#include "hot.h"

static READ_MOSTLY int
	n_captures; /* atomic; begun and not ended. One dropped by its context counts for ever. */

void captures_begun(void)
{
	__atomic_fetch_add(&n_captures, 1, __ATOMIC_RELEASE);
}

void captures_ended(void)
{
	int n = __atomic_load_n(&n_captures, __ATOMIC_RELAXED);
	while (n > 0 && !__atomic_compare_exchange_n(&n_captures, &n, n - 1, true, __ATOMIC_RELEASE,
						     __ATOMIC_RELAXED))
		;
}

HOT bool captures_stream(CUstream stream)
{
	CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
	if (__atomic_load_n(&n_captures, __ATOMIC_ACQUIRE) == 0)
		return false;
	CUresult result = real.cuStreamIsCapturing(stream, &status);
	return result != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}
