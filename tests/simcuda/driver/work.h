/*
 * work.h - what the GPU is asked to do, apart from when and on which stream: the content of a
 * queued operation and of a graph node alike.
 */
#ifndef SIMCUDA_WORK_H
#define SIMCUDA_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_api.h"
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

struct graph_run;

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
		struct graph_run *graph;
	};
};

/* Lock held, as in all that follow. A deep copy; not of WORK_GRAPH, which nobody copies. */
struct work work_copy(const struct work *work);

/* Gives back what the work owns. Accepts WORK_EMPTY. */
void work_release(struct work *work);

/* Could it run (or go on) now? Everything but waits always can. */
bool work_is_ready(const struct work *work);

/* Does its readiness depend on memory that anyone may change without telling us? */
bool work_polls(const struct work *work);

/* CUDA_ERROR_NOT_READY stands for "not finished: run it again when it is ready". */
#define WORK_UNFINISHED CUDA_ERROR_NOT_READY

/* Not a fault either: the work stopped because the process failed elsewhere. */
#define WORK_CUT_SHORT CUDA_ERROR_UNKNOWN

/* Releases the lock while it runs. Else the code of the fault, or CUDA_SUCCESS. */
CUresult work_run(struct work *work);

struct completion *completion_create(void);
struct completion *completion_reference(struct completion *completion);
/* Accepts NULL. */
void completion_release(struct completion *completion);

#endif
