/*
 * driver_calls.h - the driver's entry points as an enum, argument structures and a table of facts,
 * all generated from driver_calls.def.
 */
#ifndef CULPRIT_BASE_DRIVER_CALLS_H
#define CULPRIT_BASE_DRIVER_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* cudaGL.h needs OpenGL's headers, so the table declares its functions in plain types. */
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

/* Role of a call: what it means to culprit. scripts/call-roles.tsv assigns the roles. */
enum call_role {
	ROLE_PLAIN,        /* nothing to record; only its result is checked */
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
	ROLE_FREE,         /* frees such a range */
	ROLE_CREATE,       /* makes another object */
	ROLE_CLEANUP,      /* destroys another object */
	ROLE_CONTEXT,      /* makes, destroys or changes the current context */
	ROLE_CAPTURE,      /* starts or ends the capture of a graph, or instantiates one */
	ROLE_GRAPH,        /* makes, copies or changes nodes of a graph */
	ROLE_GRAPH_EVENT,  /* like ROLE_GRAPH; may also let a graph or process record an event */
	ROLE_MODULE,       /* loads or unloads code */
	ROLE_LOOKUP,       /* finds a kernel in loaded code, or host memory's address on the GPU */
	ROLE_LOG,          /* shows which calls the driver rejected */
	ROLE_HOOK,         /* its wrapper is hand-written: shim/entry/driver_hooks.c */
};

/* True if a call of this role queues GPU work that can fail. */
static inline bool role_queues_work(enum call_role role)
{
	return role >= ROLE_LAUNCH && role <= ROLE_MEMOP;
}

/* True if a call of this role creates, destroys or redefines what a handle refers to. */
static inline bool role_changes_handles(enum call_role role)
{
	return role == ROLE_EVENT_RECORD || role == ROLE_CREATE || role == ROLE_CLEANUP ||
	       (role >= ROLE_CAPTURE && role <= ROLE_MODULE);
}

/*
 * True if a verdict relies on seeing every call of this role. ROLE_HOOK includes look-ups: calls
 * through a function that an unseen look-up returned are not seen either.
 */
static inline bool role_is_relied_on(enum call_role role)
{
	return role_queues_work(role) || role_changes_handles(role) || role == ROLE_EVENT_WAIT ||
	       role == ROLE_FREE || role == ROLE_CONTEXT || role == ROLE_HOOK;
}

/* The arguments of a call, in order. All variants of a family have the same members. */
#define DRIVER_CALL(name, family, role, cleanup, since, default_stream, stream, params, args, \
		    fields, ...)                                                              \
	struct args_##name {                                                                  \
		fields                                                                        \
	};
#include "base/driver_calls.def"
#undef DRIVER_CALL

/* Offsets of calls without a CUstream parameter, or without exactly one CUevent. */
enum { NO_STREAM_ARGUMENT = -1, NO_EVENT_ARGUMENT = -1 };

/* Facts about a call. Each is within one cache line, because launches read it. */
struct driver_call_facts {
	const char *name;
	int since;             /* driver version that added it; 0: not in cudaTypedefs.h */
	int16_t stream_offset; /* of the CUstream member in its args, or NO_STREAM_ARGUMENT */
	int16_t event_offset;  /* of the only CUevent member, or NO_EVENT_ARGUMENT */
	uint16_t family;       /* enum driver_call of this call without _ptsz/_ptds */
	uint8_t role;          /* enum call_role */
	bool is_cleanup;       /* after a failure its error becomes CUDA_SUCCESS */
	bool reports_failure;  /* with core dumps off it returns the error of an earlier fault */
	bool is_default_per_thread; /* a null stream means the thread's own default stream */
} __attribute__((aligned(32)));

/* One row for each enum driver_call. Any thread. Hidden, which avoids a look-up of its address. */
extern __attribute__((visibility("hidden")))
const struct driver_call_facts driver_calls[N_DRIVER_CALLS];

#endif
