/*
 * handles.h - the live handles and their kinds. A stale or foreign handle gives
 * CUDA_ERROR_INVALID_HANDLE and is never dereferenced. All functions: lock held.
 */
#ifndef SIMCUDA_HANDLES_H
#define SIMCUDA_HANDLES_H

#include <stdbool.h>

enum handle_kind {
	HANDLE_NONE,
	HANDLE_CONTEXT,
	HANDLE_STREAM,
	HANDLE_EVENT,
	HANDLE_MODULE,
	HANDLE_FUNCTION,
	HANDLE_LIBRARY,
	HANDLE_KERNEL,
	HANDLE_POOL,
	HANDLE_ARRAY,
	HANDLE_OBJECT, /* texture and surface objects */
	HANDLE_TEXREF,
	HANDLE_PHYSICAL,
	HANDLE_GRAPH,
	HANDLE_NODE,
	HANDLE_GRAPH_EXEC,
	HANDLE_GREEN,
	HANDLE_RESOURCES,
	HANDLE_GONE, /* a function or kernel whose code has been unloaded */
};

void handle_add(const void *handle, enum handle_kind kind);
void handle_remove(const void *handle);

/* Return the kind of a handle, or HANDLE_NONE if it is not alive. */
enum handle_kind handle_kind_of(const void *handle);

bool handle_is(const void *handle, enum handle_kind kind);

#endif
