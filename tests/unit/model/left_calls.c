/*
 * left_calls.c - calls are left only for the newest work of a stream, which nothing else has shown.
 */
#include "model/left_calls.h"

#include "model/random_pick.h"

static struct model_stream *pick_stream(struct gpu_model *model)
{
	return &model->streams[random_pick(&model->random, model->n_streams)];
}

static bool is_synced(struct gpu_model *model, const struct model_stream *stream)
{
	return builder_stream_row(&model->builder, stream->id)->synced == stream->n_work;
}

static bool has_record(const struct model_work *work)
{
	return work->record->commit == work->commit;
}

/* Work that passed a lock gets its number after the work that has the lock. */
static bool is_passed_by_numbered(const struct model_stream *stream)
{
	const struct model_work *before =
		stream->n_work > 1 ? &stream->work[stream->n_work - 2] : NULL;
	return before && before->has_passed && before->is_beside_next;
}

/* Leave a call that has not returned: its stream has not counted the work. */
static void leave_pending(struct gpu_model *model)
{
	struct model_stream *stream = pick_stream(model);
	struct model_work *work = stream->n_work ? &stream->work[stream->n_work - 1] : NULL;
	if (!work || work->has_inline_marker || work->has_side_marker || !has_record(work) ||
	    work->record->result != 0 || is_synced(model, stream) ||
	    is_passed_by_numbered(stream) || model->builder.ring_rows[work->thread] != work->commit)
		return;
	builder_pend(&model->builder, work->record);
	if (work->record->flags & RECORD_UNORDERED)
		work->record->ordinal = 0;
}

/* The work whose ordinal is the stream's last, because it passed its neighbour's lock. */
static struct model_work *last_passing(struct model_stream *stream)
{
	for (uint32_t i = stream->n_work; i-- > 0 && i + 2 >= stream->n_work;) {
		struct model_work *work = &stream->work[i];
		if (work->has_passed && work->is_beside_next == (i + 2 == stream->n_work))
			return work;
	}
	return NULL;
}

/* Leave a call that has returned. Its ring may have wrapped, and nothing has counted its work. */
static void leave_owed(struct gpu_model *model)
{
	struct model_stream *stream = pick_stream(model);
	struct model_work *work = last_passing(stream);
	if (!work || is_synced(model, stream))
		return;
	builder_stream_row(&model->builder, stream->id)->submitted--;
	if (has_record(work))
		work->record->ordinal = 0;
	builder_owe(&model->builder, model->builder.ring_tids[work->thread], work->sequence);
}

void left_calls_leave(struct gpu_model *model)
{
	uint32_t what = random_pick(&model->random, 100);
	if (what < 30)
		leave_pending(model);
	else if (what < 80)
		leave_owed(model);
}
