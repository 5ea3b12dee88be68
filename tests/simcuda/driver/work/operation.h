/*
 * operation.h - work that a stream has accepted.
 */
#ifndef SIMCUDA_OPERATION_H
#define SIMCUDA_OPERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "objects.h"
#include "work/work.h"

/* An accepted submission, as the truth names it. */
struct submission {
	uint64_t number;  /* of the process, from 1; 0: not a submission (events) */
	uint64_t launch;  /* of its kernel launches, 0 if it is none */
	uint64_t ordinal; /* of its stream */
	pid_t tid;        /* the launching thread */
};

struct progress_channel;
struct progress_kernel;

/* What the driver's own words say of it (progress/). */
struct progress_use {
	struct progress_channel *channel; /* NULL: it takes none */
	struct progress_use *next;        /* in the channel, until it begins */
	uint64_t number;                  /* of the context's submissions */
	uint32_t payload;
	struct progress_kernel *kernel; /* NULL: it has no such word */
	uint64_t turn;                  /* how often that was used before */
};

struct operation {
	struct operation *next;
	CUstream stream;
	uint64_t sequence; /* of its context: what the legacy stream's barriers go by */
	struct submission submission;
	struct progress_use progress;
	struct work work;
	bool is_started;  /* a kernel's; one that is not the head is ahead of its turn */
	bool is_finished; /* was ahead of its turn, and waits for it */
};

#endif
