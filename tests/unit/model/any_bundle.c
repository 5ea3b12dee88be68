/*
 * any_bundle.c - the work of a random bundle, and how far it came.
 */
#include "model/any_bundle.h"

#include <string.h>

#include "model/any_fault.h"
#include "model/any_parts.h"
#include "support/graph_builder.h"
#include "support/words_builder.h"

enum { N_THREADS = 2 };

static void number(struct any_bundle *any, struct any_stream *stream, struct journal_record *record)
{
	struct any_work *work = &stream->work[stream->n_work++];
	bool has_state = record->work == WORK_KERNEL || record->work == WORK_COPY;
	*work = (struct any_work){0};
	if (!stream->channel || any_chance(any, 4))
		return;
	work->payload = ++any->payloads[stream->channel];
	if (has_state && any_chance(any, 90)) {
		uint32_t k = stream->n_kernels++;
		work->state = stream->states[k % 2];
		work->turn = 1 + k / 2;
	}
	record->progress = (struct record_progress){.channel = stream->channel,
						    .payload = work->payload,
						    .state = work->state,
						    .turn = work->turn};
	if (record->flags & RECORD_MARKED_INLINE)
		any->payloads[stream->channel]++;
}

static struct journal_record *launch(struct any_bundle *any, uint32_t tid, uint32_t stream)
{
	static const uint32_t sizes[] = {ANY_ARGUMENTS, ANY_ARGUMENTS, ANY_ARGUMENTS, 12, 0};
	unsigned char bytes[ANY_ARGUMENTS];
	uint32_t function = any_chance(any, 97) ? 1 + any_pick(any, ANY_FUNCTIONS) : 0;
	any_fill_arguments(any, bytes);
	struct journal_record *record = builder_launch(&any->builder, tid, stream, function, bytes,
						       sizes[any_pick(any, 5)]);
	record->launch.grid[0] = any_chance(any, 95) ? 1 + any_pick(any, 3) : 0;
	record->launch.block[0] = any_chance(any, 90) ? 1 : 32;
	record->launch.cluster[0] = any_chance(any, 8) ? 2 : 0;
	record->launch.shared_bytes = any_chance(any, 5) ? 64 : 0;
	record->flags |= any_chance(any, 8) ? RECORD_OVERLAPS : 0;
	record->flags |= any_chance(any, 5) ? RECORD_COOPERATIVE : 0;
	if (any->launch.function == 0 || any_chance(any, 30)) {
		any->launch = record->launch;
		memcpy(any->arguments, bytes, sizeof(bytes));
	}
	return record;
}

static struct journal_record *launch_graph(struct any_bundle *any, uint32_t tid, uint32_t stream)
{
	uint32_t graph = 1 + any_pick(any, any->n_graphs);
	struct journal_record *record =
		builder_launch_graph(&any->builder, tid, stream, graph, any_pick(any, 3));
	record->graph.replay = 1 + any_pick(any, 6);
	if (any_chance(any, 6))
		record->graph.row = 0;
	else if (any_chance(any, 6))
		record->graph.number--;
	else if (any_chance(any, 6))
		record->graph.handle++;
	return record;
}

static struct journal_record *move(struct any_bundle *any, uint32_t tid, uint32_t stream)
{
	static const enum work_kind kinds[] = {WORK_COPY,  WORK_COPY,      WORK_MEMSET,
					       WORK_MEMOP, WORK_HOST_FUNC, WORK_MEMSET};
	struct journal_record *record =
		builder_submit(&any->builder, tid, stream, kinds[any_pick(any, 6)]);
	record->memory.destination = any_address(any);
	record->memory.source = any_address(any);
	record->memory.bytes = any_chance(any, 85) ? 8 + 64 * (uint64_t)any_pick(any, 3) : 0;
	record->call = any->calls[any_pick(any, 4)];
	record->flags = any_chance(any, 10) ? RECORD_SYNCHRONOUS : 0;
	return record;
}

/* Let the call fail, or not return, or pass another thread's. */
static void spoil(struct any_bundle *any, struct any_stream *stream, struct journal_record *record)
{
	uint32_t what = any_pick(any, 60);
	if (what == 0)
		builder_reject(&any->builder, record, 1);
	else if (what == 1)
		builder_pend(&any->builder, record);
	else if (what == 2)
		builder_reject(&any->builder, record, any->code);
	if (what < 3)
		stream->n_work--;
	if (what == 3 || what == 4) {
		record->flags |= RECORD_UNORDERED;
		record->progress = (struct record_progress){.behind = record->ordinal - 1};
		builder_stream_row(&any->builder, stream->id)->flags |= STREAM_UNORDERED;
	}
	if (what == 5)
		record->kind = RECORD_CAPTURED;
}

static void submit(struct any_bundle *any, struct any_stream *stream)
{
	uint32_t tid = ANY_TID + any_pick(any, N_THREADS);
	uint32_t what = any_pick(any, 10);
	struct journal_record *record = what < 6   ? launch(any, tid, stream->id)
					: what < 8 ? launch_graph(any, tid, stream->id)
						   : move(any, tid, stream->id);
	record->stack = any_pick(any, any->n_stacks);
	if (any->has_markers) {
		record->flags |= any_chance(any, 35) ? RECORD_MARKED_INLINE : 0;
		record->flags |= any_chance(any, 10) ? RECORD_MARKED_SIDE : 0;
	}
	number(any, stream, record);
	spoil(any, stream, record);
}

static void wait(struct any_bundle *any, const struct any_stream *stream)
{
	uint32_t tid = ANY_TID + any_pick(any, N_THREADS);
	if (stream->n_work == 0)
		return;
	if (any_chance(any, 50)) {
		uint32_t waiter = any->streams[any_pick(any, any->n_streams)].id;
		builder_wait(&any->builder, tid, waiter, stream->id,
			     stream->n_work - any_pick(any, stream->n_work));
		return;
	}
	struct journal_record *record = builder_record(&any->builder, tid, RECORD_SYNC);
	record->sequence = any->builder.sequence;
	if (any_chance(any, 70)) {
		record->stream = stream->id;
		record->ordinal = stream->n_work;
	}
}

static void operate(struct any_bundle *any)
{
	static const uint32_t pauses_us[] = {0, 0, 0, 0, 0, 50, 150, 400};
	struct any_stream *stream = &any->streams[any_pick(any, any->n_streams)];
	any->builder.time_ns += 1000 * (uint64_t)pauses_us[any_pick(any, 8)];
	if (any_chance(any, any->n_stacks > 3 ? 98 : 75) && stream->n_work < ANY_WORK)
		submit(any, stream);
	else
		wait(any, stream);
}

/* --- How far it came --- */

static uint32_t value_of(const struct any_stream *stream, uint32_t n_done, uint32_t state,
			 bool is_running)
{
	uint32_t value = 0;
	for (uint32_t i = 0; i < n_done; i++)
		if (stream->work[i].state == state)
			value = 4 * (stream->work[i].turn - 1) + 2;
	if (is_running && n_done < stream->n_work && stream->work[n_done].state == state)
		value = 4 * (stream->work[n_done].turn - 1) + 1;
	return value;
}

static void set_counters(struct any_bundle *any, const struct any_stream *stream, uint32_t n_done)
{
	struct channel_row *row = builder_channel_row(&any->builder, stream->channel);
	bool is_running = n_done < stream->n_work && !any->is_idle && any_chance(any, 90);
	uint32_t last = is_running ? n_done : n_done - 1;
	uint32_t started = last < stream->n_work ? stream->work[last].payload : 0;
	if (started > row->started)
		row->started = started;
	row->started_gpu_ns = any->builder.time_ns - 1000 * (uint64_t)any_pick(any, 100);
	row->trust = any_chance(any, 92) ? CHANNEL_TRUSTED : CHANNEL_UNCHECKED;
	row->trust = any_chance(any, 98) ? row->trust : CHANNEL_REFUSED;
	row->n_checks = any_pick(any, 50);
	row->compared_ns = any_chance(any, 70) ? any->builder.time_ns - 5000 : 0;
	row->apart_ns = (int64_t)any_pick(any, 200000) - 20000;
	for (int k = 0; k < 2; k++)
		if (stream->states[k])
			builder_kernel_state_row(&any->builder, stream->states[k])->value =
				value_of(stream, n_done, stream->states[k], is_running);
}

/* Its work has finished up to here, as far as the parts of the bundle agree. */
static void set_progress(struct any_bundle *any, const struct any_stream *stream)
{
	const struct stream_row *row = builder_stream_row(&any->builder, stream->id);
	uint32_t n = row->submitted < stream->n_work ? (uint32_t)row->submitted : stream->n_work;
	uint32_t n_done = any_pick(any, n + 1);
	if (any->n_stacks > 3 && any_chance(any, 50))
		n_done = any_chance(any, 50) ? 0 : n;
	if (n_done && any_chance(any, 70))
		builder_sync(&any->builder, stream->id,
			     any_chance(any, 60) ? n_done : any_pick(any, n_done),
			     "cuStreamSynchronize");
	if (n_done && any_chance(any, 60))
		builder_mark(&any->builder, stream->id,
			     any_chance(any, 60) ? n_done : any_pick(any, n_done));
	if (stream->channel)
		set_counters(any, stream, any_chance(any, 92) ? n_done : any_pick(any, n + 1));
}

/* --- Damage --- */

static void damage_word(struct any_bundle *any, struct builder_file *file)
{
	const struct file_header *header = (const struct file_header *)(const void *)file->bytes;
	size_t n_words = (file->size - sizeof(*header)) / sizeof(uint32_t);
	uint32_t *words = (uint32_t *)(void *)(file->bytes + sizeof(*header));
	uint32_t *word = &words[any_pick(any, (uint32_t)n_words)];
	const uint32_t values[] = {0, 1, 2, UINT32_MAX, *word + 1, *word - 1, *word ^ 4, 99};
	*word = values[any_pick(any, sizeof(values) / sizeof(*values))];
}

static void damage(struct any_bundle *any)
{
	static const enum journal_file kinds[] = {
		JOURNAL_CONTEXTS,      JOURNAL_STREAMS,     JOURNAL_FUNCTIONS,
		JOURNAL_PARAMETERS,    JOURNAL_MODULES,     JOURNAL_RANGES,
		JOURNAL_FAILURE,       JOURNAL_GRAPHS,      JOURNAL_CHANNELS,
		JOURNAL_KERNEL_STATES, JOURNAL_GRAPH_NODES, JOURNAL_GRAPH_NODES,
		JOURNAL_FAULTS,        JOURNAL_FAULTS,      JOURNAL_CODE_ADDRESSES,
		JOURNAL_HOST_MAPPINGS};
	enum journal_file kind = kinds[any_pick(any, sizeof(kinds) / sizeof(*kinds))];
	struct builder_file *file = &any->builder.tables[kind];
	if (any_chance(any, 40) && any->builder.n_rings > 0)
		file = &any->builder.rings[any_pick(any, any->builder.n_rings)];
	if (file->bytes)
		damage_word(any, file);
	if (any_chance(any, 10))
		((struct file_header *)(void *)any->builder.tables[JOURNAL_STREAMS].bytes)->lost =
			1;
	if (any_chance(any, 10))
		builder_owe(&any->builder, ANY_TID, 1 + any_pick(any, 8));
}

void any_bundle_make(struct any_bundle *out, uint64_t number)
{
	static const int32_t codes[] = {700, 700, 700, 700, 700, 710, 710, 714,
					715, 716, 716, 717, 718, 719, 719, 214};
	memset(out, 0, sizeof(*out));
	out->random = number * 0x9e3779b97f4a7c15u + 5;
	uint64_t ring_capacity = any_chance(out, 90) ? 256 : 6;
	builder_begin(&out->builder, ring_capacity);
	out->code = codes[any_pick(out, sizeof(codes) / sizeof(*codes))];
	any_parts_add(out);
	bool is_long = any_chance(out, 2); /* more work than verdicts list */
	out->is_idle = any_chance(out, 15);
	out->has_markers = any_chance(out, is_long ? 30 : 85);
	out->n_stacks = is_long ? 1 + any_pick(out, 40) : 3;
	uint32_t n = is_long ? 140 : 1 + any_pick(out, any_chance(out, 85) ? 10 : 40);
	for (uint32_t i = 0; i < n; i++)
		operate(out);
	for (uint32_t i = 0; i < out->n_streams; i++)
		set_progress(out, &out->streams[i]);
	any_fault_add(out);
	uint32_t n_damaged = any_chance(out, 20) ? 1 + any_pick(out, 2) : 0;
	for (uint32_t i = 0; i < n_damaged; i++)
		damage(out);
}
