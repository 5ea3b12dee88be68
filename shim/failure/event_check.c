/*
 * event_check.c - cuEventCheckError: check for a failure as of an event.
 */
#include "failure/event_check.h"

#include "failure/doubt.h"
#include "failure/failure.h"
#include "record/host/recording.h"
#include "record/streams/events.h"
#include "record/streams/marker_readings.h"
#include "record/streams/stream_rows.h"

/* True if the newest proof shows that the event's point is finished. */
static bool is_finished(struct event_point point)
{
	const struct stream_row *row = streams_row(point.stream);
	if (__atomic_load_n(&row->synced, __ATOMIC_ACQUIRE) >= point.ordinal)
		return true;
	return !doubt_is_on() && marker_readings_landed(point.stream) >= point.ordinal;
}

CUresult event_check_error(CUresult *out_result, CUevent event, unsigned int flags)
{
	if (!out_result || flags)
		return CUDA_ERROR_INVALID_VALUE;
	struct event_point point;
	if (!recording_is_on() || !events_find(event, &point))
		return CUDA_ERROR_INVALID_HANDLE;
	if (is_finished(point))
		*out_result = CUDA_SUCCESS;
	else
		*out_result = failure_has_happened() ? failure_code() : CUDA_ERROR_NOT_READY;
	return CUDA_SUCCESS;
}
