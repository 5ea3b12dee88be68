/*
 * captures.c - active captures: their streams and events, the calls that they forbid, and how they
 * become invalid. graphs/capture.c adds work to their graphs.
 */
#include "captures/captures.h"

#include <stdlib.h>

#include "captures/node_set.h"
#include "sim.h"

struct capture *captures;

static void release(struct capture *capture)
{
	if (--capture->n_references == 0)
		free(capture);
}

void capture_join(struct capture *capture, CUstream stream, const struct node_set *tails)
{
	stream->capture = capture;
	capture->n_references++;
	node_set_add_all(&stream->capture_tails, tails);
}

void capture_leave(CUstream stream)
{
	release(stream->capture);
	stream->capture = NULL;
	node_set_clear(&stream->capture_tails);
}

static void unlink_capture(struct capture *capture)
{
	struct capture **link = &captures;
	while (*link != capture)
		link = &(*link)->next;
	*link = capture->next;
}

void capture_end(struct capture *capture)
{
	CUstream stream = capture->context->streams;
	capture->is_ended = true;
	unlink_capture(capture);
	for (; stream; stream = stream->next)
		if (stream->capture == capture)
			capture_leave(stream);
	release(capture);
}

static bool forbids_unsafe_calls(const struct capture *capture)
{
	if (sim_thread.capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED || capture->is_invalid)
		return false;
	if (capture->thread == sim_thread_id())
		return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
	return capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
	       sim_thread.capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult capture_check_unsafe_call(void)
{
	CUresult result = CUDA_SUCCESS;
	for (struct capture *capture = captures; capture; capture = capture->next) {
		if (!forbids_unsafe_calls(capture))
			continue;
		capture->is_invalid = true;
		result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	}
	return result;
}

CUresult capture_check_uncapturable(CUstream stream)
{
	if (!stream->capture)
		return CUDA_SUCCESS;
	stream->capture->is_invalid = true;
	return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

static bool is_blocking_capture(CUstream stream)
{
	return stream->capture && !(stream->flags & CU_STREAM_NON_BLOCKING);
}

bool capture_blocks_legacy(CUstream legacy)
{
	if (!captures)
		return false;
	for (CUstream stream = legacy->context->streams; stream; stream = stream->next)
		if (is_blocking_capture(stream))
			return true;
	return false;
}

CUresult capture_check_legacy(CUstream stream)
{
	if (stream->kind != STREAM_LEGACY || !capture_blocks_legacy(stream))
		return CUDA_SUCCESS;
	for (CUstream other = stream->context->streams; other; other = other->next)
		if (is_blocking_capture(other))
			other->capture->is_invalid = true;
	return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
}

void capture_forget_event(CUevent event)
{
	if (event->capture)
		release(event->capture);
	event->capture = NULL;
	node_set_clear(&event->capture_tails);
}

CUresult capture_record_event(CUstream stream, CUevent event)
{
	if (stream->capture->is_invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	capture_forget_event(event);
	event->capture = stream->capture;
	event->capture->n_references++;
	node_set_add_all(&event->capture_tails, &stream->capture_tails);
	return CUDA_SUCCESS;
}

CUresult capture_check_event(CUevent event)
{
	if (!event->capture)
		return CUDA_SUCCESS;
	event->capture->is_invalid = true;
	return CUDA_ERROR_CAPTURED_EVENT;
}

/* Join a stream that is not capturing to the capture of the event. */
static CUresult join_by_event(CUstream stream, CUevent event)
{
	if (stream->kind == STREAM_LEGACY || stream->context != event->capture->context) {
		event->capture->is_invalid = true;
		return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
	}
	capture_join(event->capture, stream, &event->capture_tails);
	return CUDA_SUCCESS;
}

static CUresult wait_while_capturing(CUstream stream, CUevent event)
{
	if (stream->capture->is_invalid)
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	if (event->capture == stream->capture) {
		node_set_add_all(&stream->capture_tails, &event->capture_tails);
		return CUDA_SUCCESS;
	}
	if (!event->capture && !event->last)
		return CUDA_SUCCESS; /* it was never recorded: there is nothing to wait for */
	stream->capture->is_invalid = true;
	if (!event->capture || event->capture->is_ended)
		return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
	event->capture->is_invalid = true;
	return CUDA_ERROR_STREAM_CAPTURE_MERGE;
}

bool capture_handles_wait(CUstream stream, CUevent event, CUresult *out_result)
{
	if (stream->capture)
		*out_result = wait_while_capturing(stream, event);
	else if (event->capture && !event->capture->is_ended)
		*out_result = event->capture->is_invalid ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
							 : join_by_event(stream, event);
	else
		return false;
	return true;
}
