/*
 * trace_event.c - add notes and arrows to an event.
 */
#include "trace/trace_event.h"

#include <stddef.h>

void trace_event_note(struct trace_event *event, const char *key, const char *text)
{
	if (event->n_notes < TRACE_MAX_NOTES)
		event->notes[event->n_notes++] = (struct trace_note){key, text, 0};
}

void trace_event_number(struct trace_event *event, const char *key, uint64_t number)
{
	if (event->n_notes < TRACE_MAX_NOTES)
		event->notes[event->n_notes++] = (struct trace_note){key, NULL, number};
}

void trace_event_flow(struct trace_event *event, uint64_t number, bool is_source)
{
	if (event->n_flows < TRACE_MAX_FLOWS)
		event->flows[event->n_flows++] = (struct trace_flow){number, is_source};
}
