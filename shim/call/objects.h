/*
 * objects.h - the stages of calls that make and destroy objects without a stage file of their own:
 * streams, events, arrays, executable graphs, captures, modules and their functions.
 */
#ifndef CULPRIT_CALL_OBJECTS_H
#define CULPRIT_CALL_OBJECTS_H

#include "call/call_state.h"

/* Slot owner only, no lock held. An object is forgotten before its handle becomes free. */
void object_create_after(struct call *call, CUresult result);
void object_cleanup_before(struct call *call);
void object_cleanup_after(struct call *call, CUresult result);
void object_capture_before(struct call *call);
void object_capture_after(struct call *call, CUresult result);
void object_module_before(struct call *call);
void object_module_after(struct call *call, CUresult result);
void object_lookup_after(struct call *call, CUresult result);

#endif
