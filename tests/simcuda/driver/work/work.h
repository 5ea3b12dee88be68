/*
 * work.h - what the GPU is asked to do, apart from when and on which stream: the content of a
 * queued operation and of a graph node alike.
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
	struct simcuda_dim cluster; /* 0: none asked for */
	unsigned shared_bytes;
	unsigned char *params; /* the buffer, owned */
	size_t params_size;
	bool is_cooperative;
	bool is_programmatic;                         /* may start beside the kernel before it */
	struct simcuda_dim fault_block, fault_thread; /* once it has faulted */
	uintptr_t data_run; /* likewise: the data that it tried to run as code, 0 none */
	bool is_load;       /* likewise: it faulted in a load */
};

/* depth slices of height rows of width bytes. */
struct copy_work {
	const unsigned char *source;
	unsigned char *destination;
	size_t width, height, depth;
	size_t source_pitch, source_slice, destination_pitch, destination_slice;
	unsigned char *staging; /* owned; then source is in it */
};

struct memset_work {
	unsigned char *destination;
	size_t width, height, pitch; /* width in elements */
	unsigned element_size, value;
};

/* Either a function or, with the older callback, its stream and status. */
struct host_work {
	CUhostFn function;
	CUstreamCallback callback;
	CUstream stream;
	void *data;
};

/* Recording: sets completion. Waiting: until it is done. Graph nodes name the event only. */
struct event_work {
	CUevent event;
	struct completion *completion;
};

/* In order; a wait that is not satisfied holds up the rest. */
struct memops_work {
	CUstreamBatchMemOpParams *list; /* owned */
	size_t count, n_done;
};

struct work;

/*
 * A work of several parts, which runs them one at a time (graphs/graph_run.h). PARTS say what the
 * functions of work_run.h come to for it.
 */
struct compound {
	const struct compound_parts *parts;
	const struct work *current; /* the part that runs, or ran last; NULL: none yet */
	size_t index;               /* of that */
	uint64_t replay;            /* of this executable graph, from 1 */
};

struct compound_parts {
	bool (*is_ready)(const struct compound *compound);
	bool (*polls)(const struct compound *compound);
	unsigned (*count_ends)(const struct compound *compound); /* parts that none waits for */
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

/* CUDA_ERROR_NOT_READY stands for "not finished: run it again when it is ready". */
#define WORK_UNFINISHED CUDA_ERROR_NOT_READY

/* Not a fault either: the work stopped because the process failed elsewhere. */
#define WORK_CUT_SHORT CUDA_ERROR_UNKNOWN

#endif
