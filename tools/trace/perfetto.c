/*
 * perfetto.c - write packets: the head, a descriptor for each track, and each event.
 */
#include "trace/trace_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/perfetto_fields.h"
#include "trace/protobuf.h"

enum { SEQUENCE = 1 };

struct perfetto {
	FILE *out;
	uint32_t pid;
	struct protobuf packet, event, interned; /* buffers, empty between packets */
	struct interned categories, names, keys, texts;
	struct perfetto_stacks stacks;
	bool is_out_of_memory;
};

/* Write a packet with the new interned data and the message in `event` as its field `field`. */
static void write_packet(struct perfetto *perfetto, uint32_t field, uint64_t time_ns)
{
	struct protobuf *packet = &perfetto->packet;
	size_t begun = protobuf_begin(packet, TRACE_FIELD_PACKET);
	if (time_ns)
		protobuf_add_number(packet, PACKET_TIMESTAMP, time_ns);
	protobuf_add_number(packet, PACKET_SEQUENCE_ID, SEQUENCE);
	protobuf_add_number(packet, PACKET_SEQUENCE_FLAGS,
			    field == PACKET_DEFAULTS ? SEQUENCE_STATE_CLEARED
						     : SEQUENCE_NEEDS_STATE);
	if (perfetto->interned.size)
		protobuf_add_bytes(packet, PACKET_INTERNED_DATA, perfetto->interned.bytes,
				   perfetto->interned.size);
	protobuf_add_bytes(packet, field, perfetto->event.bytes, perfetto->event.size);
	protobuf_end(packet, begun);
	perfetto->is_out_of_memory |=
		packet->is_out_of_memory || perfetto->event.is_out_of_memory ||
		perfetto->interned.is_out_of_memory || perfetto->stacks.is_out_of_memory;
	if (!perfetto->is_out_of_memory)
		fwrite(packet->bytes, 1, packet->size, perfetto->out);
	packet->size = perfetto->event.size = perfetto->interned.size = 0;
}

/* Declare the timestamps as CLOCK_MONOTONIC, which is not Perfetto's default. */
static void write_defaults(struct perfetto *perfetto)
{
	protobuf_add_number(&perfetto->event, DEFAULTS_CLOCK_ID, BUILTIN_MONOTONIC);
	write_packet(perfetto, PACKET_DEFAULTS, 0);
}

static void add_clock(struct protobuf *snapshot, uint64_t id, uint64_t time_ns)
{
	size_t begun = protobuf_begin(snapshot, SNAPSHOT_CLOCKS);
	protobuf_add_number(snapshot, CLOCK_FIELD_ID, id);
	protobuf_add_number(snapshot, CLOCK_FIELD_TIMESTAMP, time_ns);
	protobuf_end(snapshot, begun);
}

/* Write the values of CLOCK_MONOTONIC and of the wall clock at one moment. */
static void write_clocks(struct perfetto *perfetto, const json_t *meta)
{
	json_t *monotonic = json_object_get(meta, "monotonic_ns");
	uint64_t now = (uint64_t)json_integer_value(monotonic);
	uint64_t wall = process_wall_ns(meta, now);
	add_clock(&perfetto->event, BUILTIN_MONOTONIC, now);
	if (wall)
		add_clock(&perfetto->event, BUILTIN_REALTIME, wall);
	protobuf_add_number(&perfetto->event, SNAPSHOT_PRIMARY, BUILTIN_MONOTONIC);
	write_packet(perfetto, PACKET_CLOCK_SNAPSHOT, now);
}

/* A track's number includes the process ID, so that traces of several processes can be joined. */
static uint64_t track_id(const struct perfetto *perfetto, const struct trace_track *track)
{
	return (uint64_t)track->kind << 56 | (uint64_t)(perfetto->pid & 0xffffff) << 32 |
	       track->number;
}

static void describe_thread(struct perfetto *perfetto, uint32_t tid, const char *name)
{
	size_t begun = protobuf_begin(&perfetto->event, TRACK_THREAD);
	protobuf_add_number(&perfetto->event, THREAD_PID, perfetto->pid);
	protobuf_add_number(&perfetto->event, THREAD_TID, tid);
	protobuf_add_string(&perfetto->event, THREAD_NAME, name);
	protobuf_end(&perfetto->event, begun);
}

static void describe_process(struct perfetto *perfetto, const char *name)
{
	size_t begun = protobuf_begin(&perfetto->event, TRACK_PROCESS);
	protobuf_add_number(&perfetto->event, PROCESS_PID, perfetto->pid);
	protobuf_add_string(&perfetto->event, PROCESS_NAME, name);
	protobuf_end(&perfetto->event, begun);
}

static void describe_counter(struct perfetto *perfetto, uint64_t unit)
{
	size_t begun = protobuf_begin(&perfetto->event, TRACK_COUNTER);
	protobuf_add_number(&perfetto->event, COUNTER_UNIT, unit);
	protobuf_end(&perfetto->event, begun);
}

static void add_track(void *state, const struct trace_track *track, const char *name)
{
	static const struct trace_track process = {TRACE_PROCESS, 0};
	struct perfetto *perfetto = state;
	struct protobuf *event = &perfetto->event;
	protobuf_add_number(event, TRACK_UUID, track_id(perfetto, track));
	if (track->kind == TRACE_PROCESS)
		describe_process(perfetto, name);
	else
		protobuf_add_number(event, TRACK_PARENT, track_id(perfetto, &process));
	if (track->kind == TRACE_THREAD)
		describe_thread(perfetto, track->number, name);
	else
		protobuf_add_string(event, TRACK_NAME, name);
	if (track->kind == TRACE_QUEUE || track->kind == TRACE_MEMORY)
		describe_counter(perfetto, track->kind == TRACE_QUEUE ? UNIT_COUNT : UNIT_BYTES);
	write_packet(perfetto, PACKET_TRACK_DESCRIPTOR, 0);
}

/* Return a text's number. A new text is defined in the packet that uses it first. */
static uint64_t intern(struct perfetto *perfetto, struct interned *table, uint32_t field,
		       const char *text)
{
	bool is_new = false;
	uint64_t id = interned_id(table, text, &is_new);
	perfetto->is_out_of_memory |= !id;
	if (!is_new)
		return id;
	size_t begun = protobuf_begin(&perfetto->interned, field);
	protobuf_add_number(&perfetto->interned, INTERNED_ID, id);
	protobuf_add_string(&perfetto->interned, INTERNED_TEXT, text);
	protobuf_end(&perfetto->interned, begun);
	return id;
}

static void add_note(struct perfetto *perfetto, const struct trace_note *note)
{
	size_t begun = protobuf_begin(&perfetto->event, EVENT_ANNOTATIONS);
	protobuf_add_number(
		&perfetto->event, ANNOTATION_NAME_IID,
		intern(perfetto, &perfetto->keys, INTERNED_ANNOTATION_NAMES, note->key));
	if (note->text)
		protobuf_add_number(&perfetto->event, ANNOTATION_STRING_IID,
				    intern(perfetto, &perfetto->texts, INTERNED_ANNOTATION_STRINGS,
					   note->text));
	else
		protobuf_add_number(&perfetto->event, ANNOTATION_UINT, note->number);
	protobuf_end(&perfetto->event, begun);
}

static void add_texts(struct perfetto *perfetto, const struct trace_event *event)
{
	uint64_t stack = perfetto_stack(&perfetto->stacks, event->stack, &perfetto->interned);
	if (event->category)
		protobuf_add_number(&perfetto->event, EVENT_CATEGORY_IIDS,
				    intern(perfetto, &perfetto->categories, INTERNED_CATEGORIES,
					   event->category));
	if (event->name && event->phase != TRACE_COUNTER)
		protobuf_add_number(
			&perfetto->event, EVENT_NAME_IID,
			intern(perfetto, &perfetto->names, INTERNED_EVENT_NAMES, event->name));
	if (stack)
		protobuf_add_number(&perfetto->event, EVENT_CALLSTACK_IID, stack);
}

static void add_event(void *state, const struct trace_event *event)
{
	static const uint32_t types[] = {[TRACE_BEGIN] = TYPE_BEGIN,
					 [TRACE_END] = TYPE_END,
					 [TRACE_INSTANT] = TYPE_INSTANT,
					 [TRACE_COUNTER] = TYPE_COUNTER};
	struct perfetto *perfetto = state;
	protobuf_add_number(&perfetto->event, EVENT_TYPE, types[event->phase]);
	protobuf_add_number(&perfetto->event, EVENT_TRACK, track_id(perfetto, &event->track));
	add_texts(perfetto, event);
	for (uint32_t index = 0; index < event->n_notes; index++)
		add_note(perfetto, &event->notes[index]);
	for (uint32_t index = 0; index < event->n_flows; index++)
		protobuf_add_fixed64(&perfetto->event, EVENT_FLOWS, event->flows[index].number);
	if (event->phase == TRACE_COUNTER)
		protobuf_add_number(&perfetto->event, EVENT_COUNTER_VALUE, (uint64_t)event->value);
	write_packet(perfetto, PACKET_TRACK_EVENT, event->time_ns);
}

struct perfetto *perfetto_open(const struct analysis *analysis, FILE *out)
{
	struct perfetto *perfetto = calloc(1, sizeof(*perfetto));
	if (!perfetto)
		return NULL;
	perfetto->out = out;
	perfetto->pid = (uint32_t)analysis->process.report.pid;
	perfetto->stacks.analysis = analysis;
	write_defaults(perfetto);
	write_clocks(perfetto, analysis->bundle->meta);
	return perfetto;
}

struct trace_sink perfetto_sink(struct perfetto *perfetto)
{
	return (struct trace_sink){perfetto, add_track, add_event};
}

int perfetto_close(struct perfetto *perfetto)
{
	int result = perfetto->is_out_of_memory ? -ENOMEM : 0;
	free(perfetto->packet.bytes);
	free(perfetto->event.bytes);
	free(perfetto->interned.bytes);
	interned_free(&perfetto->categories);
	interned_free(&perfetto->names);
	interned_free(&perfetto->keys);
	interned_free(&perfetto->texts);
	perfetto_stacks_free(&perfetto->stacks);
	free(perfetto);
	return result;
}
