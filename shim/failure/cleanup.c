/*
 * cleanup.c - make the clean-up after a failure harmless.
 */
#include "failure/cleanup.h"

#include "base/failure_class.h"
#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "record/host/clock.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/thread.h"

static enum cleanup_policy policy; /* written at start only */

void cleanup_start(enum cleanup_policy wanted)
{
	policy = wanted;
}

static void journal_cleanup(struct thread *thread, enum driver_call id, CUresult result)
{
	struct journal_record record = {
		.kind = RECORD_CLEANUP,
		.sequence = sequence_newest(),
		.time_ns = clock_ns(),
		.tid = thread->tid,
		.call = call_name_id(id),
		.result = (int32_t)result,
	};
	(void)ring_append(&thread->ring, &record);
}

/* True if the error only echoes the failure. Others (a wrong argument, say) stay as they are. */
static bool is_echo(CUresult result)
{
	switch (result) {
	case CUDA_ERROR_DEINITIALIZED:
	case CUDA_ERROR_INVALID_CONTEXT:
	case CUDA_ERROR_INVALID_HANDLE:
	case CUDA_ERROR_CONTEXT_IS_DESTROYED:
		return !failed_contexts_are_sound_here();
	default:
		return failure_is_sticky((int32_t)result);
	}
}

CUresult cleanup_result(struct thread *thread, enum driver_call id, CUresult result,
			bool was_received)
{
	if (!driver_calls[id].is_cleanup || !was_received || policy == CLEANUP_REAL ||
	    !is_echo(result))
		return result;
	journal_cleanup(thread, id, result);
	failure_count_cleanup();
	return CUDA_SUCCESS;
}
