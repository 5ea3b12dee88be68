/*
 * trace_event.h - a trace independent of its file format: tracks and events, passed one by one to a
 * sink that writes a format. All texts are printable UTF-8.
 */
#ifndef CULPRIT_TOOLS_TRACE_EVENT_H
#define CULPRIT_TOOLS_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* The subject of a track. The kind and the number identify a track. */
enum trace_track_kind {
	TRACE_PROCESS = 1,
	TRACE_THREAD,         /* number: tid */
	TRACE_NVTX_THREAD,    /* number: tid */
	TRACE_NVTX_PROCESS,   /* number: tid of the thread that saw the ranges */
	TRACE_STREAM,         /* number: stream ID */
	TRACE_STREAM_WAITING, /* work that has not started; number: stream ID */
	TRACE_STREAM_EARLIER, /* work of earlier streams with the same ID; number: stream ID */
	TRACE_UNPLACED,       /* work of unknown order; number: 0 */
	TRACE_QUEUE,          /* a counter of submissions; number: stream ID */
	TRACE_MEMORY,         /* a counter of bytes; number: enum range_kind */
};

struct trace_track {
	enum trace_track_kind kind;
	uint32_t number;
};

enum trace_phase { TRACE_BEGIN, TRACE_END, TRACE_INSTANT, TRACE_COUNTER };

enum { TRACE_MAX_NOTES = 8, TRACE_MAX_FLOWS = 8 };

struct trace_note {
	const char *key;
	const char *text; /* NULL: the value is `number` */
	uint64_t number;
};

/* One end of an arrow, which connects two events that have the same number. */
struct trace_flow {
	uint64_t number;
	bool is_source;
};

/* An event. The events of one track are passed in order of time. */
struct trace_event {
	enum trace_phase phase;
	struct trace_track track;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	const char *category;
	const char *name; /* for a counter, the name of its track */
	uint32_t stack;   /* stack ID; 0: none */
	int64_t value;    /* of a counter */
	uint32_t n_flows;
	struct trace_flow flows[TRACE_MAX_FLOWS];
	uint32_t n_notes;
	struct trace_note notes[TRACE_MAX_NOTES];
};

struct trace_sink {
	void *state;
	void (*add_track)(void *state, const struct trace_track *track, const char *name);
	void (*add_event)(void *state, const struct trace_event *event);
};

/* Add to an event. Additions beyond the limits above are left out. Texts must outlive the event. */
void trace_event_note(struct trace_event *event, const char *key, const char *text);
void trace_event_number(struct trace_event *event, const char *key, uint64_t number);
void trace_event_flow(struct trace_event *event, uint64_t number, bool is_source);

#endif
