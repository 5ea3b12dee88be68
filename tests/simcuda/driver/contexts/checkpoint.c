/*
 * checkpoint.c - cuCheckpointProcess*, for this process only. Memory is not copied. But the pages
 * that the caller's context shares with the GPU are unmapped for good.
 */
#include "contexts/checkpoint.h"

#include <unistd.h>

#include "entry.h"
#include "objects.h"
#include "progress/progress_objects.h"
#include "run/queue.h"
#include "sim.h"

static CUprocessState state = CU_PROCESS_STATE_RUNNING;

void checkpoint_await_unlock(void)
{
	while (state != CU_PROCESS_STATE_RUNNING)
		sim_await_progress();
}

/* Change the process's state from `from` to `to`. */
static CUresult step(int pid, CUprocessState from, CUprocessState to)
{
	if (pid != getpid())
		return CUDA_ERROR_INVALID_VALUE;
	if (state != from)
		return CUDA_ERROR_ILLEGAL_STATE;
	state = to;
	sim_tell_progress();
	return CUDA_SUCCESS;
}

CUresult sim_cuCheckpointProcessGetState(int pid, CUprocessState *out)
{
	if (pid != getpid() || !out)
		return CUDA_ERROR_INVALID_VALUE;
	*out = state;
	return CUDA_SUCCESS;
}

/* Submitted work is finished first. */
CUresult sim_cuCheckpointProcessLock(int pid, CUcheckpointLockArgs *args)
{
	CUresult result = step(pid, CU_PROCESS_STATE_RUNNING, CU_PROCESS_STATE_LOCKED);
	(void)args;
	if (result == CUDA_SUCCESS && context_current())
		return queue_wait_context(context_current());
	return result;
}

CUresult sim_cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs *args)
{
	CUresult result = step(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_CHECKPOINTED);
	CUcontext context = context_current();
	(void)args;
	if (result == CUDA_SUCCESS && context && context->progress)
		progress_pages_unmap(&context->progress->pages);
	return result;
}

CUresult sim_cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs *args)
{
	(void)args;
	return step(pid, CU_PROCESS_STATE_CHECKPOINTED, CU_PROCESS_STATE_LOCKED);
}

CUresult sim_cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs *args)
{
	(void)args;
	return step(pid, CU_PROCESS_STATE_LOCKED, CU_PROCESS_STATE_RUNNING);
}
