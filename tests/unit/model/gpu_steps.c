/*
 * gpu_steps.c - the GPU of a story. Work of one stream starts when what is before it has finished,
 * its inline marker included; a programmatic launch may start beside its predecessor; side markers
 * land when they like.
 */
#include "model/gpu_steps.h"

#include "model/random_pick.h"

static uint32_t pick(struct gpu_model *model, uint32_t n)
{
	return random_pick(&model->random, n);
}

/* The marker of the work before it comes after it, once it has finished. */
static bool is_marker_late(const struct model_stream *stream, uint32_t index)
{
	return index + 1 < stream->n_work && stream->work[index + 1].is_before_marker &&
	       stream->work[index + 1].state != WORK_FINISHED;
}

bool gpu_steps_are_passed(const struct model_stream *stream, uint32_t ordinal)
{
	for (uint32_t i = 0; i < ordinal; i++) {
		const struct model_work *work = &stream->work[i];
		if (work->state != WORK_FINISHED ||
		    (work->has_inline_marker && !work->has_inline_landed))
			return false;
	}
	return true;
}

static bool can_start(const struct gpu_model *model, const struct model_stream *stream,
		      uint32_t index)
{
	const struct model_work *work = &stream->work[index];
	if (work->state != WORK_QUEUED || !words_model_can_start(&work->numbers))
		return false;
	for (uint32_t i = 0; i < work->n_waits; i++) {
		if (!gpu_steps_are_passed(&model->streams[work->waits[i].stream],
					  work->waits[i].ordinal))
			return false;
	}
	if (index > 0 && work->is_overlapping && work->n_waits == 0)
		return stream->work[index - 1].state != WORK_QUEUED;
	if (work->is_before_marker)
		return gpu_steps_are_passed(stream, index - 1) &&
		       stream->work[index - 1].state == WORK_FINISHED;
	return gpu_steps_are_passed(stream, index);
}

/* All work up to and including this one is finished, and earlier markers have landed. */
static bool can_land(const struct model_stream *stream, uint32_t index)
{
	return gpu_steps_are_passed(stream, index) && stream->work[index].state == WORK_FINISHED;
}

static bool step_work(struct gpu_model *model, struct model_stream *stream, uint32_t index)
{
	struct model_work *work = &stream->work[index];
	if (can_start(model, stream, index)) {
		work->state = WORK_RUNNING;
		words_model_start(&work->numbers);
		return true;
	}
	if (work->state == WORK_RUNNING && !work->is_culprit) {
		if (words_model_step(&work->numbers))
			return true;
		work->state = WORK_FINISHED;
		words_model_finish(&work->numbers);
		return true;
	}
	if (work->state == WORK_RUNNING && !model->has_faulted) {
		if (pick(model, 2) && words_model_step(&work->numbers))
			return true;
		model->has_faulted = true;
		return true;
	}
	if (work->has_inline_marker && !work->has_inline_landed && can_land(stream, index) &&
	    !is_marker_late(stream, index) && words_model_can_mark(&work->numbers)) {
		words_model_mark(&work->numbers);
		work->has_inline_landed = true;
		return true;
	}
	if (work->has_side_marker && !work->has_side_landed && can_land(stream, index)) {
		work->has_side_landed = true;
		return true;
	}
	return false;
}

/* Side markers that do not lag land at once. */
static void land_side_markers(struct gpu_model *model)
{
	for (uint32_t s = 0; s < model->n_streams; s++) {
		for (uint32_t i = 0; i < model->streams[s].n_work; i++) {
			struct model_work *work = &model->streams[s].work[i];
			if (work->has_side_marker && can_land(&model->streams[s], i))
				work->has_side_landed = true;
		}
	}
}

/* The fault is noticed a little after the access. */
static void pass_time(struct gpu_model *model)
{
	model->builder.time_ns += 1 + pick(model, 900);
	uint64_t now = model->builder.time_ns + MODEL_CLOCKS_APART;
	words_model_tick(&model->words, now);
	if (model->has_faulted && model->fault_ns == 0)
		model->fault_ns = now + pick(model, 1500);
}

bool gpu_steps_one(struct gpu_model *model)
{
	uint32_t first_stream = pick(model, model->n_streams);
	uint32_t first_work = pick(model, MODEL_MAX_WORK);
	bool is_done = false;
	for (uint32_t s = 0; s < model->n_streams && !is_done; s++) {
		struct model_stream *stream =
			&model->streams[(first_stream + s) % model->n_streams];
		for (uint32_t i = 0; i < stream->n_work && !is_done; i++)
			is_done = step_work(model, stream, (first_work + i) % stream->n_work);
	}
	if (!model->settings.is_side_lagging)
		land_side_markers(model);
	if (model->settings.has_times)
		pass_time(model);
	return is_done;
}

void gpu_steps_run(struct gpu_model *model, uint32_t n_steps)
{
	for (uint32_t i = 0; i < n_steps && gpu_steps_one(model); i++)
		;
}
