/*
 * active.c - the list of streams in which workers look for operations.
 */
#include "run/active.h"

#include <stdlib.h>

#include "progress/progress.h"
#include "work/operation.h"
#include "work/work.h"

static CUstream active, last_active; /* by next_active */

void stream_reference(CUstream stream)
{
	stream->n_references++;
}

void stream_release(CUstream stream)
{
	if (--stream->n_references == 0) {
		CUstream *link = &stream->context->streams;
		while (*link != stream)
			link = &(*link)->next;
		*link = stream->next;
		progress_stream_end(stream);
		free(stream);
	}
}

CUstream active_first(void)
{
	return active;
}

void active_add(CUstream stream)
{
	stream->previous_active = last_active;
	stream->next_active = NULL;
	if (last_active)
		last_active->next_active = stream;
	else
		active = stream;
	last_active = stream;
	stream_reference(stream);
}

void active_remove(CUstream stream)
{
	if (stream->previous_active)
		stream->previous_active->next_active = stream->next_active;
	else
		active = stream->next_active;
	if (stream->next_active)
		stream->next_active->previous_active = stream->previous_active;
	else
		last_active = stream->previous_active;
	stream_release(stream);
}

struct operation *active_find_early(CUstream stream)
{
	struct operation *before = stream->head;
	if (!before->is_started)
		return NULL;
	for (struct operation *next = before->next; next; next = next->next) {
		if (next->work.kind == WORK_EVENT_RECORD)
			continue;
		if (next->work.kind != WORK_KERNEL || !next->work.kernel.is_programmatic)
			return NULL;
		if (!next->is_started)
			return next;
	}
	return NULL;
}
