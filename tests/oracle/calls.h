/*
 * calls.h - the operations of a running program, each one call or a few.
 */
#ifndef CULPRIT_ORACLE_CALLS_H
#define CULPRIT_ORACLE_CALLS_H

#include "graphs.h"
#include "world.h"

/* A thread of the program; only that thread uses it. */
struct worker {
	struct world *world;
	const struct thread_plan *plan;
	const struct context *context;
	unsigned index;
	CUdeviceptr data;  /* what its launches write to */
	CUdeviceptr extra; /* allocated in between, 0: not now; then launches write to it */
};

/* Make the operation's calls and check what they return. */
void worker_make(struct worker *worker, const struct operation *operation);

/* Make the operation that is the program's fault. */
void worker_make_fault(struct worker *worker, const struct operation *operation);

/* Return the driver's functions as the operation finds them. */
const struct door_calls *worker_calls(const struct worker *worker,
				      const struct operation *operation);

/* True if culprit sees the operation. culprit replaces the C library's dlsym by its own. */
bool worker_is_seen(const struct worker *worker, const struct operation *operation);

/* Launch as planned, with these arguments. Returns the call's result. */
CUresult worker_launch(const struct worker *worker, const struct operation *operation,
		       struct arguments *arguments);

#endif
