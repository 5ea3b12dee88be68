/*
 * work.h - a piece of GPU work, independent of its stream and time. Queued operations and graph
 * nodes contain one.
 */
#ifndef SIMCUDA_WORK_H
#define SIMCUDA_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "objects.h"

enum work_kind {
	WORK_EMPTY,
	WORK_KERNEL,
	WORK_COPY,
	WORK_MEMSET,
	WORK_HOST,
	WORK_EVENT_RECORD,
	WORK_EVENT_WAIT,
	WORK_MEMOPS,
	WORK_FREE,
	WORK_GRAPH,
};

struct kernel_work {
	CUfunction function;
	struct simcuda_dim grid, block;
	struct simcuda_dim cluster; /* 0: not requested */
	unsigned shared_bytes;
	unsigned char *params; /* the buffer, owned */
	size_t params_size;
	bool is_cooperative;
	bool is_programmatic; /* may start while the kernel before it runs */
	/* Set by a fault: */
	struct simcuda_dim fault_block, fault_thread;
	uintptr_t data_run; /* address of data that was run as code, or 0 */
	bool is_load;       /* a load faulted */
};

/* A copy of depth slices of height rows of width bytes. */
struct copy_work {
	const unsigned char *source;
	unsigned char *destination;
	size_t width, height, depth;
	size_t source_pitch, source_slice, destination_pitch, destination_slice;
	unsigned char *staging; /* owned, contains the source; or NULL */
};

struct memset_work {
	unsigned char *destination;
	size_t width, height, pitch; /* width in elements */
	unsigned element_size, value;
};

/* A host function, or the older callback with its stream. */
struct host_work {
	CUhostFn function;
	CUstreamCallback callback;
	CUstream stream;
	void *data;
};

/* Recording marks `completion` as done, waiting waits for it. Graph nodes have only the event. */
struct event_work {
	CUevent event;
	struct completion *completion;
};

/* Operations run in order; an unsatisfied wait blocks the rest. */
struct memops_work {
	CUstreamBatchMemOpParams *list; /* owned */
	size_t count, n_done;
};

struct work;

/*
 * Work with several parts, which run one at a time (graphs/graph_run.h). `parts` implements the
 * functions of work_run.h for it.
 */
struct compound {
	const struct compound_parts *parts;
	const struct work *current; /* the part that runs or ran last; NULL: not started */
	size_t index;               /* of that part */
	uint64_t replay;            /* launch number of the executable graph, from 1 */
};

struct compound_parts {
	bool (*is_ready)(const struct compound *compound);
	bool (*polls)(const struct compound *compound);
	unsigned (*count_ends)(const struct compound *compound); /* parts without dependents */
	CUresult (*step)(struct compound *compound);
	void (*release)(struct compound *compound);
};

struct work {
	enum work_kind kind;
	union {
		struct kernel_work kernel;
		struct copy_work copy;
		struct memset_work memset;
		struct host_work host;
		struct event_work event;
		struct memops_work memops;
		void *freed; /* WORK_FREE: a device address */
		struct compound *graph;
	};
};

/* The work is not finished: run it again when it is ready. */
#define WORK_UNFINISHED CUDA_ERROR_NOT_READY

/* The work stopped because the process failed elsewhere; this is not a fault of the work. */
#define WORK_CUT_SHORT CUDA_ERROR_UNKNOWN

#endif
