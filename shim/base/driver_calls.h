/*
 * driver_calls.h - the driver's entry points as an enum, argument structures and a table of facts.
 * All are views of driver_calls.def.
 */
#ifndef CULPRIT_BASE_DRIVER_CALLS_H
#define CULPRIT_BASE_DRIVER_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* cudaGL.h wants OpenGL's headers; the table has what it declares, in plain types. */
#ifdef __cplusplus
extern "C" {
#endif
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, ...) \
	CUresult CUDAAPI name params;
#include "base/driver_calls.def"
#undef DRIVER_CALL
#ifdef __cplusplus
}
#endif

enum driver_call {
#define DRIVER_CALL(name, ...) CALL_##name,
#include "base/driver_calls.def"
#undef DRIVER_CALL
	N_DRIVER_CALLS
};

/* What a call means to culprit; scripts/call-roles.tsv says which call has which. */
enum call_role {
	ROLE_PLAIN,        /* nothing to record: only its result is looked at */
	ROLE_LAUNCH,       /* queues one kernel */
	ROLE_GRAPH_LAUNCH, /* queues a whole graph */
	ROLE_COPY,         /* queues or does a copy */
	ROLE_MEMSET,       /* queues or does a memset */
	ROLE_MEMOP,        /* queues a wait, a write or another small operation on a stream */
	ROLE_HOST_FUNC,    /* queues a function of the host */
	ROLE_EVENT_RECORD, /* an event now stands for the stream's work so far */
	ROLE_EVENT_WAIT,   /* a stream now waits for an event */
	ROLE_SYNC,         /* returns once work is finished */
	ROLE_QUERY,        /* success says that work is finished */
	ROLE_ALLOC,        /* makes a range of memory usable by the GPU */
	ROLE_FREE,         /* gives such a range back */
	ROLE_CREATE,       /* makes another object */
	ROLE_CLEANUP,      /* destroys another object */
	ROLE_CONTEXT,      /* makes, destroys or changes the current context */
	ROLE_CAPTURE,      /* begins or ends the capture of a graph, or instantiates one */
	ROLE_GRAPH,        /* makes, copies or changes nodes of a graph */
	ROLE_GRAPH_EVENT,  /* the same, and may let a graph, or another process, record an event */
	ROLE_MODULE,       /* loads or unloads code */
	ROLE_LOOKUP,       /* finds a kernel in loaded code, or the GPU's address of host memory */
	ROLE_DOOR,         /* its wrapper is written by hand: shim/entry/driver_doors.c */
};

/* Does a call of this role give the GPU work that can fail? */
static inline bool role_queues_work(enum call_role role)
{
	return role >= ROLE_LAUNCH && role <= ROLE_MEMOP;
}

/* Does it make, end or change what handles mean? */
static inline bool role_changes_handles(enum call_role role)
{
	return role == ROLE_EVENT_RECORD || role == ROLE_CREATE || role == ROLE_CLEANUP ||
	       (role >= ROLE_CAPTURE && role <= ROLE_MODULE);
}

/*
 * Does a verdict rest on seeing every call of this role? An unseen look-up hands out functions that
 * nobody sees either.
 */
static inline bool role_is_relied_on(enum call_role role)
{
	return role_queues_work(role) || role_changes_handles(role) || role == ROLE_EVENT_WAIT ||
	       role == ROLE_FREE || role == ROLE_CONTEXT || role == ROLE_DOOR;
}

/* The arguments of a call, in order. The variants of one family have the same members. */
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, \
		    fields, ...)                                                              \
	struct args_##name {                                                                  \
		fields                                                                        \
	};
#include "base/driver_calls.def"
#undef DRIVER_CALL

/* For calls without a CUstream parameter, and without one CUevent. */
enum { NO_STREAM_ARGUMENT = -1, NO_EVENT_ARGUMENT = -1 };

/* Each in one cache line: launches read it. */
struct driver_call_facts {
	const char *name;
	int since;             /* driver version that brought it, 0: cudaTypedefs.h is silent */
	int16_t stream_offset; /* of the CUstream member in its args, or NO_STREAM_ARGUMENT */
	int16_t event_offset;  /* of the one CUevent member, or NO_EVENT_ARGUMENT */
	uint16_t family;       /* enum driver_call: the same call without _ptsz/_ptds */
	uint8_t role;          /* enum call_role */
	bool is_cleanup;       /* after a failure its error becomes CUDA_SUCCESS */
	bool reports_failure;  /* with core dumps off it returns the error of an earlier fault */
	bool is_default_per_thread; /* a null stream means the thread's own default stream */
} __attribute__((aligned(32)));

/* One row for each enum driver_call. Any thread. Hidden: else its address were looked up. */
extern __attribute__((visibility("hidden")))
const struct driver_call_facts driver_calls[N_DRIVER_CALLS];

#endif
