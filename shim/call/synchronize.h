/*
 * synchronize.h - the stages of calls that prove the GPU's progress or tie one stream to another:
 * synchronisation, queries, event records and waits.
 */
#ifndef CULPRIT_CALL_SYNCHRONIZE_H
#define CULPRIT_CALL_SYNCHRONIZE_H

#include "call/call_state.h"

/* Success of a sync or query proves finished what was accepted before it. Slot owner only. */
void synchronize_before(struct call *call);
void synchronize_after(struct call *call, CUresult result);

/* Let the event stand for its stream's work so far. The stream is locked from before to after. */
void event_record_before(struct call *call);
void event_record_after(struct call *call, CUresult result);

/* Note that a graph node, or another process, may record an event from now on. */
void graph_event_before(struct call *call);

/* Journal an edge: a stream waits for an event. The stream is locked from before to after. */
void event_wait_before(struct call *call);
void event_wait_after(struct call *call, CUresult result);

#endif
