/*
 * synchronize.h - the stages of calls that tell how far the GPU is, or tie one stream to another:
 * synchronisation, queries, event records and waits.
 */
#ifndef CULPRIT_CALL_SYNCHRONIZE_H
#define CULPRIT_CALL_SYNCHRONIZE_H

#include "call/call_state.h"

/* Success of a sync or a query proves finished what was accepted before it began. Slot owner only.
 */
void synchronize_before(struct call *call);
void synchronize_after(struct call *call, CUresult result);

/* An event now stands for its stream's work so far. The stream's lock is held in between. */
void event_record_before(struct call *call);
void event_record_after(struct call *call, CUresult result);

/* A graph node, or another process, may from now on record an event. */
void graph_event_before(struct call *call);

/* A stream waits for an event: the journal gets an edge. The stream's lock is held in between. */
void event_wait_before(struct call *call);
void event_wait_after(struct call *call, CUresult result);

#endif
