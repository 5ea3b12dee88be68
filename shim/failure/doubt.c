/*
 * doubt.c - compare the driver's answers with the core dump's file, and with the failure.
 */
#include "failure/doubt.h"

#include <errno.h>

#include "base/failure_class.h"
#include "failure/failure.h"
#include "record/driver/driver_events.h"

bool doubt_has_dump(void)
{
	return doubt_is_on() && driver_events_settle(coredumps_have_one);
}

/* True if the call's success proves that the GPU was well. */
static bool tells_health(enum driver_call id)
{
	switch (driver_calls[id].role) {
	case ROLE_SYNC:
	case ROLE_QUERY:
	case ROLE_COPY:
	case ROLE_ALLOC:
		return true;
	case ROLE_FREE: /* A program may check no other call. A stream-ordered one only queues. */
		return driver_calls[id].reports_failure &&
		       driver_calls[id].stream_offset == NO_STREAM_ARGUMENT;
	default:
		return false;
	}
}

static bool is_hidden(enum driver_call id, uint64_t sequence)
{
	if (!failure_has_happened())
		return tells_health(id) && doubt_has_dump();
	if (sequence != 0 && sequence <= failure_sequence() && !tells_health(id))
		return false;
	return driver_calls[id].reports_failure;
}

bool doubt_success(enum driver_call id, uint64_t sequence)
{
	if (!doubt_is_on())
		return false;
	int host_errno = errno;
	bool is_doubted = is_hidden(id, sequence);
	errno = host_errno;
	return is_doubted;
}

/* True if the driver checks for this error before it checks for an earlier fault. */
static bool is_told_first(CUresult result)
{
	return result == CUDA_ERROR_NOT_INITIALIZED || result == CUDA_ERROR_DEINITIALIZED ||
	       result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult doubt_result(enum driver_call id, CUresult result)
{
	if (!doubt_is_on() || !failure_has_happened() || is_told_first(result))
		return result;
	return failure_is_sticky((int32_t)result) || driver_calls[id].reports_failure
		       ? failure_code()
		       : result;
}
