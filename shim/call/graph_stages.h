/*
 * graph_stages.h - the stages of calls that build, copy, instantiate, change or destroy graphs:
 * after them the journal knows the nodes of each executable graph, and the stack behind each.
 */
#ifndef CULPRIT_CALL_GRAPH_STAGES_H
#define CULPRIT_CALL_GRAPH_STAGES_H

#include "call/call_state.h"

void graph_before(struct call *call);
void graph_after(struct call *call, CUresult result);

/* The call returned success and may be an instantiation. */
void graph_instantiated(struct call *call);

/* A graph, or an executable one, is about to be destroyed. */
void graph_destroy_before(struct call *call);

#endif
