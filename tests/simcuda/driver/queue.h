/*
 * queue.h - streams as queues of operations, and the workers that run them. All: lock held.
 */
#ifndef SIMCUDA_QUEUE_H
#define SIMCUDA_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "objects.h"
#include "work.h"

/* An accepted submission, as the truth names it. */
struct submission {
	uint64_t number;  /* of the process, from 1; 0: not a submission (events) */
	uint64_t launch;  /* of its kernel launches, 0 if it is none */
	uint64_t ordinal; /* of its stream */
	pid_t tid;        /* the launching thread */
};

struct operation {
	struct operation *next;
	CUstream stream;
	uint64_t sequence; /* of its context: what the legacy stream's barriers go by */
	struct submission submission;
	struct work work;
	bool is_started;  /* a kernel's; one that is not the head is ahead of its turn */
	bool is_finished; /* was ahead of its turn, and waits for it */
};

/*
 * A programmatic launch that may start now although the kernel before it runs; NULL. Between the
 * two may be records of events only. Lock held.
 */
struct operation *queue_find_early(CUstream stream);

/*
 * Appends the work, of which the queue takes ownership in any case. Blocks while the stream is
 * full; after a failure the stream never empties, so the failure's code ends the wait.
 */
CUresult queue_submit(CUstream stream, struct work *work);

/* Wait until all that was accepted before is done; or a failure's code. */
CUresult queue_wait_stream(CUstream stream);
CUresult queue_wait_context(CUcontext context);
CUresult queue_wait_completion(struct completion *completion);

/* Has all that a synchronisation of the stream would wait for been done? */
bool queue_is_idle(CUstream stream);

/* What a question gets that is answered with no. */
CUresult queue_unfinished(void);

/* After a failure: what never started is dropped. Running operations stay until they stop. */
void queue_drop(CUstream stream);

void stream_reference(CUstream stream);
/* The last one gives the stream back. */
void stream_release(CUstream stream);

#endif
