/*
 * gpu_model.c - the host of a story. The model is as unkind as the GPU may be: whatever order
 * allows, happens in some story.
 */
#include "model/gpu_model.h"

#include "model/gpu_steps.h"
#include "model/left_calls.h"
#include "model/random_pick.h"
#include "support/check.h"

static uint32_t pick(struct gpu_model *model, uint32_t n)
{
	return random_pick(&model->random, n);
}

static bool chance(struct gpu_model *model, uint32_t percent)
{
	return pick(model, 100) < percent;
}

static uint32_t tid_of(uint32_t thread)
{
	return 100 + thread;
}

static void add_wait(struct model_wait *waits, uint32_t *n, uint32_t stream, uint32_t ordinal)
{
	CHECK(*n < MODEL_MAX_WAITS);
	if (ordinal > 0)
		waits[(*n)++] = (struct model_wait){stream, ordinal};
}

static void add_barrier(struct gpu_model *model, const struct model_stream *stream,
			struct model_work *work)
{
	for (uint32_t s = 0; s < model->n_streams; s++) {
		const struct model_stream *other = &model->streams[s];
		if ((stream->is_legacy && other->is_blocking) ||
		    (stream->is_blocking && other->is_legacy))
			add_wait(work->waits, &work->n_waits, s, other->n_work);
	}
}

static enum work_kind pick_kind(struct gpu_model *model)
{
	static const enum work_kind kinds[] = {WORK_KERNEL, WORK_KERNEL, WORK_KERNEL,   WORK_GRAPH,
					       WORK_COPY,   WORK_MEMSET, WORK_HOST_FUNC};
	return kinds[pick(model, sizeof(kinds) / sizeof(kinds[0]))];
}

static bool is_able_kind(const struct gpu_model *model, enum work_kind kind)
{
	return kind == WORK_KERNEL || kind == WORK_GRAPH ||
	       (model->code == 700 && kind != WORK_HOST_FUNC);
}

static void pick_flags(struct gpu_model *model, struct model_work *work, bool has_markers)
{
	const struct model_settings *settings = &model->settings;
	work->is_overlapping = settings->has_overlaps && chance(model, 25);
	work->has_inline_marker = has_markers && settings->has_inline_markers && chance(model, 75);
	work->has_side_marker = has_markers && settings->has_side_markers && chance(model, 75);
	work->record->flags = (uint16_t)((work->is_overlapping ? RECORD_OVERLAPS : 0) |
					 (work->has_inline_marker ? RECORD_MARKED_INLINE : 0) |
					 (work->has_side_marker ? RECORD_MARKED_SIDE : 0));
}

static struct model_work *submit_work(struct gpu_model *model, uint32_t thread, uint32_t s,
				      bool has_markers)
{
	struct model_stream *stream = &model->streams[s];
	struct model_work *work = &stream->work[stream->n_work];
	enum work_kind kind = pick_kind(model);
	CHECK(stream->n_work < MODEL_MAX_WORK);
	*work = (struct model_work){.thread = thread};
	work->record = builder_submit(&model->builder, tid_of(thread), stream->id, kind);
	work->commit = work->record->commit;
	work->sequence = work->record->sequence;
	if (kind == WORK_KERNEL)
		pick_flags(model, work, has_markers);
	words_model_submit(&model->words, s, work->record, &work->numbers);
	if (work->has_inline_marker)
		words_model_submit_marker(&work->numbers);
	for (uint32_t i = 0; i < stream->n_waits; i++)
		work->waits[work->n_waits++] = stream->waits[i];
	stream->n_waits = 0;
	add_barrier(model, stream, work);
	if (!model->culprit && is_able_kind(model, kind) && model->culprit_countdown-- == 0) {
		work->is_culprit = true;
		model->culprit = work->sequence;
		model->culprit_kind = kind;
	}
	stream->n_work++;
	return work;
}

static struct model_work *submit(struct gpu_model *model, uint32_t thread, uint32_t s)
{
	return submit_work(model, thread, s, true);
}

/*
 * Two threads are at the driver at once, in either order. The one that passed the lock gets its
 * number last, and knows what it comes after.
 */
static void submit_beside(struct gpu_model *model, uint32_t s)
{
	struct model_stream *stream = &model->streams[s];
	uint64_t behind = stream->n_work;
	struct model_work *pair[] = {submit_work(model, 0, s, false),
				     submit_work(model, 1, s, false)};
	struct journal_record *passing = pair[pick(model, 2)]->record;
	if (passing == pair[0]->record) {
		pair[0]->record->ordinal++;
		pair[1]->record->ordinal--;
	}
	pair[0]->is_beside_next = true;
	pair[passing == pair[1]->record]->has_passed = true;
	passing->flags |= RECORD_UNORDERED;
	builder_stream_row(&model->builder, stream->id)->flags |= STREAM_UNORDERED;
	passing->progress = (struct record_progress){.behind = chance(model, 80) ? behind : 0};
}

/*
 * A thread passes the lock of another one, which has submitted and not yet marked: its work is in
 * the stream before that marker. The model of counters does not know this order.
 */
static void submit_before_marker(struct gpu_model *model, uint32_t s)
{
	struct model_stream *stream = &model->streams[s];
	struct model_work *marked = stream->n_work ? &stream->work[stream->n_work - 1] : NULL;
	if (!marked || !marked->has_inline_marker || marked->has_inline_landed ||
	    stream->n_waits > 0 || model->settings.words != WORDS_MODEL_NONE)
		return;
	uint64_t behind = stream->n_work;
	struct model_work *passing =
		submit_work(model, (marked->thread + 1) % MODEL_THREADS, s, false);
	marked->is_beside_next = true;
	passing->has_passed = true;
	passing->is_before_marker = true;
	passing->record->flags |= RECORD_UNORDERED;
	builder_stream_row(&model->builder, stream->id)->flags |= STREAM_UNORDERED;
	passing->record->progress = (struct record_progress){.behind = behind};
}

static void wait_event(struct gpu_model *model, uint32_t thread, uint32_t s)
{
	struct model_stream *stream = &model->streams[s];
	uint32_t source = pick(model, model->n_streams);
	uint32_t n_work = model->streams[source].n_work;
	uint32_t ordinal = n_work > 0 ? n_work - pick(model, n_work < 3 ? n_work : 3) : 0;
	if (stream->n_waits >= MODEL_MAX_WAITS / 2)
		return;
	if (ordinal > 0 && model->streams[source].work[ordinal - 1].is_beside_next)
		ordinal++;
	builder_wait(&model->builder, tid_of(thread), stream->id, model->streams[source].id,
		     ordinal);
	add_wait(stream->waits, &stream->n_waits, source, ordinal);
}

/* Waits for a stream, as far as the GPU gets; true if all is finished. */
static bool wait_for(struct gpu_model *model, const struct model_stream *stream)
{
	while (!gpu_steps_are_passed(stream, stream->n_work)) {
		if (!gpu_steps_one(model))
			return false;
	}
	return true;
}

/* Return the row that a wait leaves if it succeeds. It may be lost. */
static struct journal_record *add_wait_record(struct gpu_model *model, uint32_t thread)
{
	struct journal_record *record =
		builder_record(&model->builder, tid_of(thread), RECORD_SYNC);
	record->sequence = model->builder.sequence;
	return record;
}

static void synchronize(struct gpu_model *model, uint32_t thread, const struct model_stream *stream)
{
	if (!wait_for(model, stream)) {
		model->is_failed = true;
		return;
	}
	builder_sync(&model->builder, stream->id, stream->n_work, "cuStreamSynchronize");
	if (!model->settings.has_waits)
		return;
	struct journal_record *record = add_wait_record(model, thread);
	record->stream = stream->id;
	record->ordinal = stream->n_work;
}

static void synchronize_context(struct gpu_model *model, uint32_t thread)
{
	for (uint32_t s = 0; s < model->n_streams && !model->is_failed; s++) {
		const struct model_stream *stream = &model->streams[s];
		model->is_failed = !wait_for(model, stream);
		if (!model->is_failed)
			builder_sync(&model->builder, stream->id, stream->n_work,
				     "cuCtxSynchronize");
	}
	if (!model->is_failed)
		add_wait_record(model, thread);
}

/* A call that waits for its own work, and may be the one that returns its error. */
static void submit_synchronous(struct gpu_model *model, uint32_t thread, uint32_t s)
{
	struct model_stream *stream = &model->streams[s];
	struct model_work *work = submit(model, thread, s);
	work->record->flags |= RECORD_SYNCHRONOUS;
	if (wait_for(model, stream)) {
		builder_sync(&model->builder, stream->id, stream->n_work, "cuMemcpyDtoH_v2");
	} else {
		builder_reject(&model->builder, work->record, model->code);
		model->is_failed = true;
	}
}

static void operate(struct gpu_model *model)
{
	uint32_t thread = pick(model, MODEL_THREADS);
	uint32_t s = pick(model, model->n_streams);
	uint32_t what = pick(model, 100);
	if (model->settings.has_waits && chance(model, 30))
		model->builder.time_ns += MODEL_PAUSE;
	if (model->settings.has_unordered && what < 15)
		submit_beside(model, s);
	else if (model->settings.has_unordered && what < 20)
		submit_before_marker(model, s);
	else if (what < 70)
		submit(model, thread, s);
	else if (what < 87)
		wait_event(model, thread, s);
	else if (model->settings.has_waits && what < 89)
		synchronize_context(model, thread);
	else if (what < 94)
		synchronize(model, thread, &model->streams[s]);
	else
		submit_synchronous(model, thread, s);
}

static void write_markers(struct gpu_model *model)
{
	for (uint32_t s = 0; s < model->n_streams; s++) {
		const struct model_stream *stream = &model->streams[s];
		for (uint32_t i = 0; i < stream->n_work; i++) {
			if (stream->work[i].has_inline_landed || stream->work[i].has_side_landed)
				builder_mark(&model->builder, stream->id, i + 1);
		}
	}
}

static void begin_streams(struct gpu_model *model)
{
	uint32_t context = builder_context(&model->builder, 0, "Model GPU");
	model->n_streams = 1 + pick(model, MODEL_MAX_STREAMS);
	for (uint32_t s = 0; s < model->n_streams; s++) {
		struct model_stream *stream = &model->streams[s];
		*stream = (struct model_stream){0};
		stream->is_legacy = model->settings.has_barriers && s == 0;
		stream->is_blocking = model->settings.has_barriers && s % 2 == 1;
		stream->id = builder_stream(&model->builder, context,
					    stream->is_legacy ? STREAM_LEGACY : STREAM_EXPLICIT,
					    stream->is_blocking ? 0 : STREAM_NON_BLOCKING, s);
	}
	words_model_begin(&model->words, model->settings.words, &model->builder, &model->random,
			  model->n_streams);
	model->words.has_stuck = model->settings.has_stuck_words;
	model->words.is_ahead = model->settings.has_words_ahead;
	/* Rings in the order of threads, so that thread t writes ring t. */
	for (uint32_t thread = 0; thread < MODEL_THREADS; thread++)
		builder_record(&model->builder, tid_of(thread), RECORD_REJECTION);
}

void model_run(struct gpu_model *model, const struct model_settings *settings)
{
	*model = (struct gpu_model){.settings = *settings, .random = settings->seed};
	builder_begin(&model->builder, settings->ring_capacity);
	begin_streams(model);
	model->code = chance(model, 50) ? 700 : 710;
	model->culprit_countdown = pick(model, settings->n_operations / 2);
	for (uint32_t i = 0; i < settings->n_operations && !model->is_failed; i++) {
		operate(model);
		gpu_steps_run(model, pick(model, 5));
		model->is_failed = model->is_failed || (model->has_faulted && chance(model, 20));
	}
	while (!model->is_failed && gpu_steps_one(model))
		;
	gpu_steps_run(model, pick(model, 30)); /* other streams may go on for a while */
	left_calls_leave(model);
	write_markers(model);
	words_model_write(&model->words);
	builder_fail(&model->builder, model->code, tid_of(0), "cuCtxSynchronize");
}

bool gpu_model_has_lost_records(const struct gpu_model *model)
{
	for (uint32_t slot = 0; slot < model->builder.n_rings; slot++)
		if (model->builder.ring_rows[slot] > model->builder.ring_capacity)
			return true;
	return false;
}
