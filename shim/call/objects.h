/*
 * objects.h - the stages of calls that make and destroy things: memory ranges, contexts, streams,
 * events, modules, captures.
 */
#ifndef CULPRIT_CALL_OBJECTS_H
#define CULPRIT_CALL_OBJECTS_H

#include "call.h"

void alloc_after(struct call *call, CUresult result);
void free_before(struct call *call);
void create_after(struct call *call, CUresult result);
void cleanup_before(struct call *call);
void context_before(struct call *call);
void context_after(struct call *call, CUresult result);
void capture_before(struct call *call);
void capture_after(struct call *call, CUresult result);
void module_before(struct call *call);
void module_after(struct call *call, CUresult result);
void lookup_after(struct call *call, CUresult result);

#endif
