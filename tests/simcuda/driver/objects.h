/*
 * objects.h - the objects behind the handles of contexts, streams, events, modules and functions.
 * cuda.h leaves these structures to the driver, so a handle is a pointer to its object. sim_lock
 * guards all of them.
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

/* Nodes that a node, or the next captured node, depends on. Each node is in the set once. */
struct node_set {
	struct CUgraphNode_st **nodes; /* owned */
	CUgraphEdgeData *data;         /* of the edges to them; owned */
	size_t count;
};

/* Size of the driver's memory behind a context's handle. The rest names objects of progress/. */
enum { CONTEXT_BYTES = 0x800, CONTEXT_OWN_BYTES = 0x600 };

/* Never freed, only marked, so that the use of a destroyed context is recognised. */
struct CUctx_st {
	CUdevice device;
	unsigned flags, api_version;
	uint64_t id;
	bool is_primary, is_destroyed;
	size_t limits[CU_LIMIT_MAX];
	CUfunc_cache cache_config;
	CUsharedconfig shared_config;
	CUstream legacy;         /* the legacy default stream */
	CUstream streams;        /* every stream of the context, by next */
	uint64_t n_accepted;     /* operations so far, with green contexts': the next sequence */
	struct held_wait *waits; /* of cuCtxWaitEvent: future streams must make them too */
	/* A green context is a separate context with the memory and events of its primary. */
	CUcontext primary;         /* of a green context, else NULL */
	CUcontext greens;          /* of a primary context: all it ever had, by next_green */
	CUcontext next_green;      /* destroyed ones are reused, so handles repeat */
	CUgreenCtx green;          /* of a green context: its other handle */
	struct progress *progress; /* NULL: no progress counters */
	struct progress_stream *first_progress; /* of the driver's own stream, the first one */
};
_Static_assert(sizeof(struct CUctx_st) <= CONTEXT_OWN_BYTES, "the fields come first");

enum stream_kind {
	STREAM_LEGACY,
	STREAM_PER_THREAD,
	STREAM_EXPLICIT,
};

/*
 * An in-order queue. The head stays in the queue while it runs, so the number of queued operations
 * is n_accepted - n_done. The stream is in the list of active streams (active.c) if that is not 0.
 */
struct CUstream_st {
	struct progress_stream *progress; /* or NULL; first, because tools find it by the handle */
	CUcontext context;
	CUstream next; /* in context->streams */
	CUstream next_active, previous_active;
	enum stream_kind kind;
	unsigned flags;
	int priority;
	uint64_t id;
	CUstream next_own;  /* of a per-thread stream: next in its thread's list */
	CUstream *own_link; /* the pointer to this stream in that list; NULL: not in a list */
	bool is_orphan;     /* its green context was destroyed before it */
	struct operation *head, *tail;
	uint64_t n_accepted, n_done; /* operations */
	uint64_t n_submissions;      /* accepted submissions: the ordinal of the newest */
	unsigned n_queued_submissions;
	unsigned n_references;         /* the handle, waiting calls, a worker, a capture */
	bool is_running;               /* a worker runs the head */
	uint64_t busy_until_ns;        /* when the GPU was or will be done with the work before */
	struct capture *capture;       /* capture that records the stream's operations, or NULL */
	struct node_set capture_tails; /* dependencies of the next captured node */
	CUstreamAttrValue attributes[CU_LAUNCH_ATTRIBUTE_MAX];
};

/* One recording of an event, shared by the event, the operation and all waiters. */
struct completion {
	unsigned n_references;
	unsigned n_parts; /* for a whole context: streams that have not reached it yet */
	bool is_done;
	uint64_t time_ns;
};

struct CUevent_st {
	CUcontext context;
	unsigned flags;
	unsigned n_references;         /* the handle, and works that record it */
	struct completion *last;       /* NULL: never recorded */
	struct capture *capture;       /* capture of the last recording, or NULL */
	struct node_set capture_tails; /* dependencies of a captured wait for it */
};

struct CUmod_st {
	CUcontext context; /* NULL: of a library, usable in every context */
	unsigned n_references;
	void *loaded; /* handle of dlopen */
	int fd;       /* keeps the name that dlopen was given unique */
	uintptr_t text_start, text_end;
	struct CUfunc_st *functions; /* by next: those looked up so far */
	CUmodule next_released;
};

/* How much of the driver's own object of a function is simulated. */
enum { FUNCTION_WORDS = 0x200 / sizeof(uint64_t) };

struct CUfunc_st {
	uint64_t words[FUNCTION_WORDS]; /* see code_address.h */
	uint64_t code, code_size;       /* on the GPU */
	struct CUfunc_st *next;
	CUmodule module;
	const struct simcuda_kernel *kernel;
	int attributes[CU_FUNC_ATTRIBUTE_MAX];
	bool is_launched;            /* it was launched: the first launch loads it */
	struct CUkern_st *as_kernel; /* its kernel of a library, or NULL */
	/* The launch state of the old interface (cuFuncSetBlockShape, cuParamSet*, cuLaunch). */
	struct simcuda_dim block;
	unsigned shared_bytes;
	unsigned char *params;
	size_t params_size;
};

/* Return the context that memory, events and order belong to: the primary of a green context. */
CUcontext context_owner(CUcontext context);

/* Return the calling thread's current context, or NULL. Calls that need one always have it. */
CUcontext context_current(void);

/* True if there is a device of this number. */
bool context_is_device(CUdevice device);

#endif
