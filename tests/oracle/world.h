/*
 * world.h - the state of a running program: its driver objects and the failures so far.
 *
 * Concurrency: the main thread creates everything before the other threads start, and destroys it
 * after they have finished. In between, a stream's handle is changed only by the one thread that
 * uses it, events only in programs of one thread, and graphs by their owner. Any thread may set
 * `failed` and `is_broken`.
 */
#ifndef CULPRIT_ORACLE_WORLD_H
#define CULPRIT_ORACLE_WORLD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "program.h"
#include <cuda.h>

enum {
	DATA_BYTES = 4096,                          /* of a thread's own buffer */
	DATA_COUNT = DATA_BYTES / sizeof(unsigned), /* its elements */
	COPY_BYTES = 64,                            /* of every copy */
};

/*
 * An element that no array has: neither the host nor the GPU maps memory 32 TiB after other memory.
 */
#define FAR_INDEX (UINT64_C(1) << 43)

/* From valid addresses to one with more bits than any address has. */
#define INVALID_OFFSET UINT64_C(0xdead000000000000)

/* An element that no shared memory has: 64 MiB past its start. */
#define BEYOND_SHARED (UINT64_C(1) << 24)

struct context {
	CUcontext handle;
	CUgreenCtx green; /* NULL: not a green context */
	CUdevice device;
	CUmodule module;
	CUfunction functions[N_KERNELS];
	CUdeviceptr zero;    /* a word that stays 0 */
	CUdeviceptr copies;  /* COPY_BYTES for each tag */
	unsigned char *host; /* the same, pinned */
	unsigned char *pageable;
};

struct graph {
	CUgraph handle;
	CUgraphExec executable;
	CUgraphNode nodes[MAX_NODES];
	CUdeviceptr index; /* what its faulty node goes by, where that is `through` */
	CUdeviceptr data;
	unsigned n_replays, n_seen; /* and the replays that did not bypass culprit */
};

struct world {
	const struct program *program;
	const char *truth_path;        /* NULL: the truth is not written */
	const struct door_calls *past; /* the driver's functions through the program's door */
	struct context contexts[MAX_CONTEXTS];
	CUdeviceptr data[MAX_THREADS];
	CUstream streams[MAX_STREAMS + MAX_THREADS];
	CUevent events[MAX_EVENTS];
	struct graph graphs[MAX_GRAPHS];
	pthread_barrier_t meeting;
	atomic_int failed;     /* the sticky code that was seen first */
	atomic_bool is_broken; /* a call returned a wrong code */
};

/* Note the code that a call returned; 600 (not ready) is not an error. */
void world_check(struct world *world, const char *call, CUresult code);
#define CHECK(world, call) world_check(world, #call, call)

/* Make a call that must work before the program can start; exit with status 2 if it is refused. */
void world_need(const char *call, CUresult code);
#define NEED(call) world_need(#call, call)

/*
 * Create a green context of the device and store its other handle in *out_handle. Returns the
 * driver's result.
 */
CUresult world_make_green(CUdevice device, CUgreenCtx *out_green, CUcontext *out_handle);

/*
 * Append a line to the truth file, before the bad call is made. The text is a member list in JSON.
 */
void world_tell(const struct world *world, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
