/*
 * calls.h - the operations of a running program, each one call or a few.
 */
#ifndef CULPRIT_ORACLE_CALLS_H
#define CULPRIT_ORACLE_CALLS_H

#include "graphs.h"
#include "world.h"

/* A thread of the program; used by no other. */
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

/* The operation that is the program's fault. */
void worker_make_fault(struct worker *worker, const struct operation *operation);

/* The driver's functions as the operation comes by them. */
const struct door_calls *worker_calls(const struct worker *worker,
				      const struct operation *operation);

/* Does culprit see the operation? It hands out its own dlsym for the C library's. */
bool worker_is_seen(const struct worker *worker, const struct operation *operation);

/* Launches as planned, with these arguments; the call's result. */
CUresult worker_launch(const struct worker *worker, const struct operation *operation,
		       struct arguments *arguments);

#endif
