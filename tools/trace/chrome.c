/*
 * chrome.c - write the "Trace Event Format": one array with an object for each event. Every track
 * is a thread in this format, and arrows are events of their own.
 */
#include "trace/trace_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/report_stack.h"
#include "json/json_values.h"

/* Tracks that are not threads get numbers above any Linux thread ID, within 32 bits. */
enum { TRACK_STEP = 300000000, STACK_SIZE = 2048, STACK_FRAMES = 8 };

struct chrome {
	const struct analysis *analysis;
	FILE *out;
	bool is_first;
	bool is_out_of_memory;
};

static void write_value(struct chrome *chrome, json_t *value)
{
	if (!chrome->is_first)
		fputs(",\n", chrome->out);
	chrome->is_first = false;
	chrome->is_out_of_memory |= !value || !json_print(value, chrome->out);
	json_decref(value);
}

static json_int_t track_id(const struct trace_track *track)
{
	if (track->kind == TRACE_THREAD || track->kind == TRACE_PROCESS)
		return track->number;
	return (json_int_t)track->kind * TRACK_STEP + track->number;
}

static json_int_t pid_of(const struct chrome *chrome)
{
	return chrome->analysis->process.report.pid;
}

static void add_track(void *state, const struct trace_track *track, const char *name)
{
	struct chrome *chrome = state;
	bool is_process = track->kind == TRACE_PROCESS;
	if (track->kind == TRACE_QUEUE || track->kind == TRACE_MEMORY)
		return; /* a counter's events carry its name */
	write_value(chrome,
		    json_pack("{s:s, s:s, s:I, s:I, s:{s:s}}", "ph", "M", "name",
			      is_process ? "process_name" : "thread_name", "pid", pid_of(chrome),
			      "tid", track_id(track), "args", "name", name));
}

/* Convert to microseconds; a double keeps the nanoseconds. */
static json_t *time_to_json(uint64_t time_ns)
{
	return json_real((double)time_ns / 1000.0);
}

static json_t *notes_to_json(const struct chrome *chrome, const struct trace_event *event)
{
	json_t *notes = json_object();
	char stack[STACK_SIZE];
	struct text text = text_in(stack, sizeof(stack));
	for (uint32_t index = 0; index < event->n_notes; index++)
		json_object_set_new(notes, event->notes[index].key,
				    event->notes[index].text
					    ? json_string(event->notes[index].text)
					    : json_count(event->notes[index].number));
	if (event->stack) {
		report_stack(&chrome->analysis->report, event->stack, STACK_FRAMES, &text);
		json_object_set_new(notes, "stack", json_string(stack));
	}
	return notes;
}

static void add_arrows(struct chrome *chrome, const struct trace_event *event)
{
	for (uint32_t index = 0; index < event->n_flows; index++) {
		const struct trace_flow *flow = &event->flows[index];
		json_t *arrow =
			json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:o}", "ph",
				  flow->is_source ? "s" : "f", "name", "order", "cat", "flow", "id",
				  (json_int_t)flow->number, "pid", pid_of(chrome), "tid",
				  track_id(&event->track), "ts", time_to_json(event->time_ns));
		if (!flow->is_source && arrow)
			json_object_set_new(arrow, "bp", json_string("e"));
		write_value(chrome, arrow);
	}
}

static void add_counter(struct chrome *chrome, const struct trace_event *event)
{
	write_value(chrome,
		    json_pack("{s:s, s:s, s:I, s:o, s:{s:I}}", "ph", "C", "name", event->name,
			      "pid", pid_of(chrome), "ts", time_to_json(event->time_ns), "args",
			      "value", (json_int_t)event->value));
}

static void add_event(void *state, const struct trace_event *event)
{
	static const char *const phases[] = {
		[TRACE_BEGIN] = "B", [TRACE_END] = "E", [TRACE_INSTANT] = "i"};
	struct chrome *chrome = state;
	if (event->phase == TRACE_COUNTER) {
		add_counter(chrome, event);
		return;
	}
	json_t *value =
		json_pack("{s:s, s:I, s:I, s:o}", "ph", phases[event->phase], "pid", pid_of(chrome),
			  "tid", track_id(&event->track), "ts", time_to_json(event->time_ns));
	if (value && event->phase != TRACE_END) {
		json_object_set_new(value, "name", json_string(event->name));
		json_object_set_new(value, "cat", json_string(event->category));
		json_object_set_new(value, "args", notes_to_json(chrome, event));
	}
	if (value && event->phase == TRACE_INSTANT)
		json_object_set_new(value, "s", json_string("t"));
	write_value(chrome, value);
	add_arrows(chrome, event);
}

struct chrome *chrome_open(const struct analysis *analysis, FILE *out)
{
	struct chrome *chrome = calloc(1, sizeof(*chrome));
	if (!chrome)
		return NULL;
	chrome->analysis = analysis;
	chrome->out = out;
	chrome->is_first = true;
	fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n", out);
	return chrome;
}

struct trace_sink chrome_sink(struct chrome *chrome)
{
	return (struct trace_sink){chrome, add_track, add_event};
}

int chrome_close(struct chrome *chrome)
{
	int result = chrome->is_out_of_memory ? -ENOMEM : 0;
	fputs("\n]}\n", chrome->out);
	free(chrome);
	return result;
}
