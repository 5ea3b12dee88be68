/*
 * memory_torch.c - write a snapshot in the layout of torch.cuda.memory._snapshot(): the devices'
 * segments, and traces of events. Each allocation is a segment with one block, because memory_viz
 * draws only blocks that are in a segment. Each free is both requested and completed.
 */
#include "memory/memory_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "memory/memory_labels.h"
#include "memory/pickle.h"
#include "report/report_runtime_frames.h"
#include "view/python_frame.h"

enum { MAX_DEVICES = 256, MAX_NODES = 64, MAX_INLINED = 8, NAME_SIZE = 1024 };

struct snapshot {
	const struct analysis *analysis;
	const struct memory *memory;
	FILE *out;
	struct pickle_words *words;
	/* Each row has two stacks. The allocating stacks come first, then the freeing stacks. */
	uint32_t *leaders; /* by stack: the first stack that is equal */
	bool *are_written; /* by leader: its frames are written, and can be referred to by number */
};

static size_t allocated_by(uint32_t row)
{
	return row;
}

static size_t freed_by(const struct snapshot *snapshot, uint32_t row)
{
	return snapshot->memory->n + row;
}

static uint32_t stack_of(const struct memory *memory, size_t which)
{
	return which < memory->n ? memory->rows[which].stack
				 : memory->rows[which - memory->n].freed_stack;
}

static void add_word(const struct snapshot *snapshot, const char *word)
{
	pickle_word(snapshot->out, snapshot->words, word);
}

static void add_words(const struct snapshot *snapshot, const char *key, const char *word)
{
	add_word(snapshot, key);
	add_word(snapshot, word);
}

static void add_number(const struct snapshot *snapshot, const char *key, uint64_t number)
{
	add_word(snapshot, key);
	pickle_number(snapshot->out, number);
}

/* Write bytes of unknown encoding as valid UTF-8. */
static void add_foreign(const struct snapshot *snapshot, const char *key, const char *bytes,
			size_t length)
{
	char copy[NAME_SIZE];
	struct text text = text_in(copy, sizeof(copy));
	text_add_foreign(&text, bytes, length);
	add_word(snapshot, key);
	pickle_string(snapshot->out, copy);
}

static void add_frame(const struct snapshot *snapshot, const char *name, size_t name_length,
		      const char *file, size_t file_length, uint32_t line)
{
	pickle_open_dictionary(snapshot->out);
	add_foreign(snapshot, "name", name, name_length);
	add_foreign(snapshot, "filename", file, file_length);
	add_number(snapshot, "line", line);
	pickle_close_dictionary(snapshot->out);
}

static void add_python_frames(const struct snapshot *snapshot, uint32_t stack)
{
	const struct bundle_view *view = snapshot->analysis->report.view;
	uint32_t ids[MAX_NODES];
	size_t n = view_python_frames(view, stack, ids, MAX_NODES);
	for (size_t i = 0; i < n; i++) {
		struct python_frame frame;
		python_frame_read(view, ids[i], &frame);
		add_frame(snapshot, frame.function.bytes, frame.function.length, frame.file.bytes,
			  frame.file.length, frame.line);
	}
}

static void add_native_node(const struct snapshot *snapshot, uint32_t node)
{
	const struct bundle_view *view = snapshot->analysis->report.view;
	const struct stack_row *row = view_stack(view, node);
	const struct module_row *module = row ? view_module(view, row->module) : NULL;
	const char *path = module ? view_string(view, module->path, NULL) : "";
	struct source_frame frames[MAX_INLINED] = {{0}};
	size_t n = row ? symbols_frames(snapshot->analysis->symbols, row->module, module, path,
					row->offset, frames, MAX_INLINED)
		       : 0;
	for (size_t i = 0; i < (n ? n : 1); i++) {
		const char *name = frames[i].function ? frames[i].function : "??";
		const char *file = frames[i].file ? frames[i].file : path;
		if (!report_is_runtime_frame(path, &frames[i]))
			add_frame(snapshot, name, strlen(name), file, strlen(file), frames[i].line);
	}
}

/* Write a stack's frames, or a reference if an equal stack's frames are already written. */
static void add_frames(const struct snapshot *snapshot, size_t which)
{
	uint32_t leader = snapshot->leaders[which];
	uint32_t stack = stack_of(snapshot->memory, which);
	uint32_t nodes[MAX_NODES];
	size_t n = view_stack_frames(snapshot->analysis->report.view, stack, nodes, MAX_NODES);
	add_word(snapshot, "frames");
	if (snapshot->are_written[leader]) {
		pickle_get(snapshot->out, PICKLE_MAX_WORDS + leader);
		return;
	}
	pickle_open_list(snapshot->out);
	add_python_frames(snapshot, stack);
	for (size_t i = 0; i < n; i++)
		add_native_node(snapshot, nodes[i]);
	pickle_close_list(snapshot->out);
	pickle_put(snapshot->out, PICKLE_MAX_WORDS + leader);
	snapshot->are_written[leader] = true;
}

static uint64_t stream_of(const struct snapshot *snapshot, const struct range_row *row)
{
	const struct stream_row *stream = view_stream(snapshot->analysis->report.view, row->stream);
	return stream ? stream->handle : 0;
}

/* Memory whose device is not known is shown with device 0. */
static uint32_t device_of(const struct snapshot *snapshot, const struct range_row *row)
{
	int device = memory_device(snapshot->analysis->report.view, row);
	return device >= 0 && device < MAX_DEVICES ? (uint32_t)device : 0;
}

static bool is_shown(const struct range_row *row)
{
	struct range_row live = *row;
	live.state = RANGE_LIVE;
	return range_has_address(row->kind) && memory_place_of(&live) == MEMORY_ON_DEVICE &&
	       row->size > 0;
}

static void add_segment(const struct snapshot *snapshot, uint32_t index)
{
	const struct range_row *row = &snapshot->memory->rows[index];
	FILE *out = snapshot->out;
	pickle_open_dictionary(out);
	add_number(snapshot, "device", device_of(snapshot, row));
	add_number(snapshot, "address", row->start);
	add_number(snapshot, "total_size", row->size);
	add_number(snapshot, "allocated_size", row->size);
	add_number(snapshot, "active_size", row->size);
	add_number(snapshot, "requested_size", row->size);
	add_number(snapshot, "stream", stream_of(snapshot, row));
	add_words(snapshot, "segment_type", memory_kind_label(row->kind));
	add_frames(snapshot, allocated_by(index));
	add_word(snapshot, "blocks");
	pickle_open_list(out);
	pickle_open_dictionary(out);
	add_number(snapshot, "address", row->start);
	add_number(snapshot, "size", row->size);
	add_number(snapshot, "requested_size", row->size);
	add_words(snapshot, "state", "active_allocated");
	add_frames(snapshot, allocated_by(index));
	pickle_close_dictionary(out);
	pickle_close_list(out);
	pickle_close_dictionary(out);
}

static void add_segments(const struct snapshot *snapshot)
{
	size_t n = 0;
	add_word(snapshot, "segments");
	pickle_open_list(snapshot->out);
	for (uint32_t i = 0; i < snapshot->memory->n; i++) {
		const struct range_row *row = &snapshot->memory->rows[i];
		if (row->state != RANGE_LIVE || !is_shown(row))
			continue;
		if (n++ % PICKLE_PART == PICKLE_PART - 1)
			pickle_part_list(snapshot->out);
		add_segment(snapshot, i);
	}
	pickle_close_list(snapshot->out);
}

struct event {
	uint64_t ns;
	uint32_t row;
	bool is_free;
};

static int compare_events(const void *one, const void *other)
{
	const struct event *a = one;
	const struct event *b = other;
	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return (a->is_free > b->is_free) - (a->is_free < b->is_free);
}

static void add_action(const struct snapshot *snapshot, const struct event *event,
		       const char *action)
{
	const struct range_row *row = &snapshot->memory->rows[event->row];
	pickle_open_dictionary(snapshot->out);
	add_words(snapshot, "action", action);
	add_number(snapshot, "addr", row->start);
	add_number(snapshot, "size", row->size);
	add_number(snapshot, "stream", stream_of(snapshot, row));
	add_number(snapshot, "time_us",
		   process_wall_ns(snapshot->analysis->bundle->meta, event->ns) / 1000);
	add_frames(snapshot,
		   event->is_free ? freed_by(snapshot, event->row) : allocated_by(event->row));
	pickle_close_dictionary(snapshot->out);
}

static void add_event(const struct snapshot *snapshot, const struct event *event)
{
	if (!event->is_free) {
		add_action(snapshot, event, "segment_alloc");
		add_action(snapshot, event, "alloc");
		return;
	}
	add_action(snapshot, event, "free_requested");
	add_action(snapshot, event, "free_completed");
	add_action(snapshot, event, "segment_free");
}

static void add_trace(const struct snapshot *snapshot, const struct event *events, size_t n,
		      uint32_t device)
{
	size_t n_added = 0;
	pickle_open_list(snapshot->out);
	for (size_t i = 0; i < n; i++) {
		if (device_of(snapshot, &snapshot->memory->rows[events[i].row]) != device)
			continue;
		if (n_added++ % (PICKLE_PART / 4) == PICKLE_PART / 4 - 1)
			pickle_part_list(snapshot->out);
		add_event(snapshot, &events[i]);
	}
	pickle_close_list(snapshot->out);
}

/* Collect the allocations and frees in order of time. Return the number of devices. */
static uint32_t collect_events(const struct snapshot *snapshot, struct event *events, size_t *out_n)
{
	uint32_t n_devices = 1;
	size_t n = 0;
	for (uint32_t i = 0; i < snapshot->memory->n; i++) {
		const struct range_row *row = &snapshot->memory->rows[i];
		if (!is_shown(row))
			continue;
		if (device_of(snapshot, row) >= n_devices)
			n_devices = device_of(snapshot, row) + 1;
		events[n++] = (struct event){.ns = row->time_ns, .row = i};
		if (row->state == RANGE_FREED)
			events[n++] =
				(struct event){.ns = row->freed_ns, .row = i, .is_free = true};
	}
	qsort(events, n, sizeof(*events), compare_events);
	*out_n = n;
	return n_devices;
}

static void add_traces(const struct snapshot *snapshot, struct event *events)
{
	size_t n = 0;
	uint32_t n_devices = collect_events(snapshot, events, &n);
	add_word(snapshot, "device_traces");
	pickle_open_list(snapshot->out);
	for (uint32_t device = 0; device < n_devices; device++)
		add_trace(snapshot, events, n, device);
	pickle_close_list(snapshot->out);
}

struct numbered_stack {
	uint32_t stack, which;
};

static int compare_stacks(const void *one, const void *other)
{
	const struct numbered_stack *a = one;
	const struct numbered_stack *b = other;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->which > b->which) - (a->which < b->which);
}

static int find_leaders(struct snapshot *snapshot)
{
	size_t n = 2 * (size_t)snapshot->memory->n;
	struct numbered_stack *all = calloc(n + 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		all[i] = (struct numbered_stack){stack_of(snapshot->memory, i), i};
	qsort(all, n, sizeof(*all), compare_stacks);
	for (size_t i = 0; i < n; i++)
		snapshot->leaders[all[i].which] = i > 0 && all[i].stack == all[i - 1].stack
							  ? snapshot->leaders[all[i - 1].which]
							  : all[i].which;
	free(all);
	return 0;
}

static void write_snapshot(const struct snapshot *snapshot, struct event *events)
{
	FILE *out = snapshot->out;
	pickle_begin(out);
	pickle_open_dictionary(out);
	add_segments(snapshot);
	add_traces(snapshot, events);
	add_word(snapshot, "allocator_settings");
	pickle_open_dictionary(out);
	pickle_close_dictionary(out);
	pickle_close_dictionary(out);
	pickle_end(out);
}

int memory_torch_write(const struct analysis *analysis, const struct memory *memory, FILE *out)
{
	size_t n = 2 * (size_t)memory->n;
	struct event *events = calloc(n + 1, sizeof(*events));
	struct pickle_words words = {.n = 0};
	struct snapshot snapshot = {.analysis = analysis,
				    .memory = memory,
				    .out = out,
				    .words = &words,
				    .leaders = calloc(n + 1, sizeof(uint32_t)),
				    .are_written = calloc(n + 1, sizeof(bool))};
	int result = -ENOMEM;
	if (events && snapshot.leaders && snapshot.are_written)
		result = find_leaders(&snapshot);
	if (!result)
		write_snapshot(&snapshot, events);
	free(events);
	free(snapshot.leaders);
	free(snapshot.are_written);
	return result;
}
