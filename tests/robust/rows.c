/*
 * rows.c - hosts whose streams come into rows of the journal that other streams had.
 */
#include "host.h"
#include "scenarios.h"

/* Given up before it was given any work, it leaves a wait that is nobody's. */
static void wait_and_leave(CUevent event)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuStreamWaitEvent(stream, event, 0));
	NEED(cuStreamDestroy(stream));
}

/* That the next stream's work has ended tells nothing of what its row's last owner waited for. */
int row_of_waiting_stream(void)
{
	CUstream stream, next;
	CUevent event;

	host_open();
	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	NEED(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	host_close_gate(stream);
	NEED(host_stray(stream));
	NEED(cuEventRecord(event, stream));
	wait_and_leave(event);
	NEED(cuStreamCreate(&next, CU_STREAM_NON_BLOCKING));
	NEED(host_fill(next));
	NEED(cuStreamSynchronize(next));
	host_open_gate();
	return say("cuCtxSynchronize", cuCtxSynchronize()) ? 1 : 0;
}
