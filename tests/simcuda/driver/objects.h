/*
 * objects.h - what stands behind the handles of contexts, streams, events, modules and functions.
 * cuda.h leaves these structures to the driver, so a handle is a pointer to its object. All are
 * guarded by sim_lock.
 */
#ifndef SIMCUDA_OBJECTS_H
#define SIMCUDA_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "simcuda_abi.h"

struct operation;
struct capture;
struct progress;
struct progress_stream;

/* Nodes that a node depends on, or that the next captured one will. No node twice. */
struct node_set {
	struct CUgraphNode_st **nodes; /* owned */
	size_t count;
};

/* The driver's own memory behind a context's handle: further on it names objects of progress/. */
enum { CONTEXT_BYTES = 0x800, CONTEXT_OWN_BYTES = 0x600 };

/* Never given back, only marked, so that the use of a destroyed context is recognised. */
struct CUctx_st {
	CUdevice device;
	unsigned flags, api_version;
	uint64_t id;
	bool is_primary, is_destroyed;
	size_t limits[CU_LIMIT_MAX];
	CUfunc_cache cache_config;
	CUsharedconfig shared_config;
	CUstream legacy;     /* the legacy default stream */
	CUstream streams;    /* every stream of the context, by next */
	uint64_t n_accepted; /* operations so far, green contexts' too: the next one's sequence */
	struct held_wait *waits; /* by cuCtxWaitEvent: streams to come wait too */
	/* A green context is a context of its own with its primary context's memory and events. */
	CUcontext primary;         /* of a green context, else NULL */
	CUcontext greens;          /* of a primary context: all that it ever had, by next_green */
	CUcontext next_green;      /* those destroyed are used again: so handles come back */
	CUgreenCtx green;          /* of a green context: the other handle */
	struct progress *progress; /* NULL: the driver keeps no such words */
	struct progress_stream *first_progress; /* the driver's own stream, first of all */
};
_Static_assert(sizeof(struct CUctx_st) <= CONTEXT_OWN_BYTES, "the fields come first");

enum stream_kind {
	STREAM_LEGACY,
	STREAM_PER_THREAD,
	STREAM_EXPLICIT,
};

/*
 * An in-order queue. The head stays in the queue while it runs, so
 * number of queued operations == n_accepted - n_done, and the stream is in the list of active
 * streams (active.c) exactly when that is not 0.
 */
struct CUstream_st {
	struct progress_stream *progress; /* first: tools find it by the handle; or NULL */
	CUcontext context;
	CUstream next; /* in context->streams */
	CUstream next_active, previous_active;
	enum stream_kind kind;
	unsigned flags;
	int priority;
	uint64_t id;
	CUstream next_own;  /* of a thread's own: the list of all of that thread's, */
	CUstream *own_link; /* and what names it there; NULL: it is in none */
	bool is_orphan;     /* its green context was destroyed before it */
	struct operation *head, *tail;
	uint64_t n_accepted, n_done; /* operations */
	uint64_t n_submissions;      /* accepted ones, the ordinal of the newest */
	unsigned n_queued_submissions;
	unsigned n_references;         /* the handle, each waiting call, a worker, a capture */
	bool is_running;               /* a worker has the head */
	struct capture *capture;       /* that records the stream's operations instead, or NULL */
	struct node_set capture_tails; /* what the next captured node depends on */
	CUstreamAttrValue attributes[CU_LAUNCH_ATTRIBUTE_MAX];
};

/* One recording of an event. Shared by the event, the operation and all that wait for it. */
struct completion {
	unsigned n_references;
	unsigned n_parts; /* of a context's: streams that are still to come to it */
	bool is_done;
	uint64_t time_ns;
};

struct CUevent_st {
	CUcontext context;
	unsigned flags;
	unsigned n_references;         /* the handle, and works that record it */
	struct completion *last;       /* NULL: never recorded */
	struct capture *capture;       /* last recorded in this capture, or NULL */
	struct node_set capture_tails; /* what a captured wait for it depends on */
};

struct CUmod_st {
	CUcontext context; /* NULL: a library's, usable in every context */
	unsigned n_references;
	void *loaded; /* by dlopen */
	int fd;       /* keeps the name unique that it was loaded by */
	uintptr_t text_start, text_end;
	struct CUfunc_st *functions; /* by next: those looked up so far */
	CUmodule next_released;
};

struct CUfunc_st {
	struct CUfunc_st *next;
	CUmodule module;
	const struct simcuda_kernel *kernel;
	int attributes[CU_FUNC_ATTRIBUTE_MAX];
	bool is_launched;            /* at least once: loading it costs submissions */
	struct CUkern_st *as_kernel; /* the library's view of it, or NULL */
	/* The launch state of the old interface (cuFuncSetBlockShape, cuParamSet*, cuLaunch). */
	struct simcuda_dim block;
	unsigned shared_bytes;
	unsigned char *params;
	size_t params_size;
};

/* The context that memory, events and order belong to: a green context's primary one. */
CUcontext context_owner(CUcontext context);

/* The calling thread's current context, which a call that needs one has; else NULL. */
CUcontext context_current(void);

bool context_is_device(CUdevice device);

#endif
