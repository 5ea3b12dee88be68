/*
 * graph_stages.h - the stages of calls that build, copy, instantiate, launch, change or destroy
 * graphs. After them the journal knows the nodes of each executable graph, and the stack of each
 * node.
 */
#ifndef CULPRIT_CALL_GRAPH_STAGES_H
#define CULPRIT_CALL_GRAPH_STAGES_H

#include "call/call_state.h"

void graph_before(struct call *call);
void graph_after(struct call *call, CUresult result);

void graph_launch_after(struct call *call, CUresult result);

/* Note an instantiation, if the call is one. The call has returned success. */
void graph_instantiated(struct call *call);

/* Forget a graph, or an executable graph, that the call is about to destroy. */
void graph_destroy_before(struct call *call);

#endif
