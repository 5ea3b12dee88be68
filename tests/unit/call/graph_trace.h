/*
 * graph_trace.h - runs the stages of calls about graphs, on a recorder that traces what it is
 * asked.
 */
#ifndef CULPRIT_TESTS_GRAPH_TRACE_H
#define CULPRIT_TESTS_GRAPH_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "call/call_state.h"

/* The state of the simulated graphs. */
extern struct graph_trace {
	uint32_t n_new_markers;       /* of a graph that is instantiated */
	uint32_t n_markers, n_marked; /* of an updated graph: before, and of the update */
	bool is_marked;               /* an update has markers of its own */
	bool has_failed, has_snapshot;
	bool is_own_child; /* the driver gives a child node the graph itself, not a copy */
} graph_trace;

enum { EXEC = 0x10, GRAPH = 0x20, NODE = 0x30, CHILD = 0x40, OTHER = 0x50 };

/* Trace the call's name, and return the call. */
struct call graph_trace_call(enum driver_call id, const void *args);

/* Run the stages of a call that returned the result. */
void graph_trace_run(enum driver_call id, const void *args, CUresult result);

#define RUN(result, name, ...) \
	graph_trace_run(CALL_##name, &(const struct args_##name){__VA_ARGS__}, result)

#endif
