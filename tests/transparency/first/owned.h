/*
 * owned.h - the objects that the program owns when the GPU fails, and the functions that make them.
 */
#ifndef CULPRIT_TRANSPARENCY_OWNED_H
#define CULPRIT_TRANSPARENCY_OWNED_H

#include <cuda.h>
#include <stdbool.h>

/* Every driver exports this version; cuda.h declares only the newest one. */
CUresult CUDAAPI cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);

enum { FIRST_BYTES = 1 << 16 };

/* The objects that the program owns when the GPU fails. */
struct owned {
	CUcontext context; /* current, the primary one unless the observer needs another */
	CUmodule module;
	CUfunction fill, stray_store;
	CUstream stream; /* the one that fails, with the event recorded before that */
	CUevent event;
	CUdeviceptr data, other, pooled;
	void *host, *registered;
	CUarray array;
	CUmemoryPool pool;
	CUgraph graph;
	CUgraphExec executable;
	CUlibrary library;
	CUdeviceptr reserved; /* with `physical` mapped, for observers that need it */
	CUmemGenericAllocationHandle physical;
	char path[2 * 4096]; /* of the module */
};

/* Make a call that must work before the failure; exit with status 2 if it is refused. */
#define NEED(call) need((call), #call)
void need(CUresult code, const char *call);

/*
 * Make the primary context current, or one of its own, and create everything that an observer may
 * need.
 */
void owned_make(struct owned *owned, bool is_own_context);

/* Launch the kernel that fails. */
void owned_fail(struct owned *owned);

/* Launch `fill` over `data`. */
CUresult fill_data(struct owned *owned, CUstream stream);

#endif
