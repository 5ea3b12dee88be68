/*
 * trace_event.h - a trace before it is a file: tracks and what happens on them, given one by one to
 * a sink, which writes the format that it is of. All texts are UTF-8 and made harmless.
 */
#ifndef CULPRIT_TOOLS_TRACE_EVENT_H
#define CULPRIT_TOOLS_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* What a track is of; with the number of the one, its identity. */
enum trace_track_kind {
	TRACE_PROCESS = 1,
	TRACE_THREAD,         /* number: tid */
	TRACE_NVTX_THREAD,    /* tid */
	TRACE_NVTX_PROCESS,   /* tid of the thread that saw the ranges */
	TRACE_STREAM,         /* id in streams */
	TRACE_STREAM_WAITING, /* the same */
	TRACE_STREAM_EARLIER, /* of the streams that had its row before */
	TRACE_UNPLACED,       /* no number */
	TRACE_QUEUE,          /* a counter of submissions; id in streams */
	TRACE_MEMORY,         /* a counter of bytes; enum range_kind */
};

struct trace_track {
	enum trace_track_kind kind;
	uint32_t number;
};

enum trace_phase { TRACE_BEGIN, TRACE_END, TRACE_INSTANT, TRACE_COUNTER };

enum { TRACE_MAX_NOTES = 8, TRACE_MAX_FLOWS = 8 };

struct trace_note {
	const char *key;
	const char *text; /* NULL: it is the number */
	uint64_t number;
};

/* One end of an arrow, which two events with the number in common have. */
struct trace_flow {
	uint64_t number;
	bool is_source;
};

/* The events of a track come in their order in time. */
struct trace_event {
	enum trace_phase phase;
	struct trace_track track;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	const char *category;
	const char *name; /* of a counter that of its track */
	uint32_t stack;   /* id, 0 none */
	int64_t value;    /* of counters */
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

/* Those without room are left out. */
void trace_event_note(struct trace_event *event, const char *key, const char *text);
void trace_event_number(struct trace_event *event, const char *key, uint64_t number);
void trace_event_flow(struct trace_event *event, uint64_t number, bool is_source);

#endif
