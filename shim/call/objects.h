/*
 * objects.h - the stages of calls that make and destroy what has no stage file of its own: streams,
 * events, arrays, executable graphs, captures, modules and their functions.
 */
#ifndef CULPRIT_CALL_OBJECTS_H
#define CULPRIT_CALL_OBJECTS_H

#include "call/call_state.h"

/* All: slot owner only, no lock held. What is destroyed is forgotten before its handle is free. */
void object_create_after(struct call *call, CUresult result);
void object_cleanup_before(struct call *call);
void object_cleanup_after(struct call *call, CUresult result);
void object_capture_before(struct call *call);
void object_capture_after(struct call *call, CUresult result);
void object_module_before(struct call *call);
void object_module_after(struct call *call, CUresult result);
void object_lookup_after(struct call *call, CUresult result);

#endif
