/*
 * operation.h - an operation: work that a stream has accepted.
 */
#ifndef SIMCUDA_OPERATION_H
#define SIMCUDA_OPERATION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "objects.h"
#include "work/work.h"

/* An accepted submission, as truth.h describes it. */
struct submission {
	uint64_t number;  /* in the process, from 1; 0: not a submission (events) */
	uint64_t launch;  /* number among kernel launches, 0 for other work */
	uint64_t ordinal; /* on its stream */
	pid_t tid;        /* the launching thread */
};

struct progress_channel;
struct progress_kernel;

/* The progress counters that an operation uses (progress/). */
struct progress_use {
	struct progress_channel *channel; /* NULL: it uses no channel */
	struct progress_use *next;        /* in the channel, until it starts */
	uint64_t number;                  /* among the context's submissions */
	uint32_t payload;
	struct progress_kernel *kernel; /* NULL: it has no kernel counter */
	uint64_t turn;                  /* how often that counter was used before */
};

struct operation {
	struct operation *next;
	CUstream stream;
	uint64_t sequence; /* in its context, for the legacy stream's barriers */
	uint64_t accepted_ns;
	struct submission submission;
	struct progress_use progress;
	struct work work;
	bool is_started;  /* a kernel has started, perhaps before it is the head */
	bool is_finished; /* it ran before it was the head, and stays until then */
};

#endif
