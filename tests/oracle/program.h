/*
 * program.h - a random CUDA program as data, which generate.c makes from a seed, print.c prints and
 * run.c executes. Each thread makes its operations in order; the threads interleave by chance.
 */
#ifndef CULPRIT_ORACLE_PROGRAM_H
#define CULPRIT_ORACLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "doors/doors.h"

enum {
	MAX_CONTEXTS = 2,
	MAX_THREADS = 6,
	MAX_STREAMS = 12,
	MAX_EVENTS = 12,
	MAX_GRAPHS = 6,
	MAX_NODES = 10,
	MAX_OPERATIONS = 400, /* of one thread */
};

/* The operations, with their relative weights before a program shifts them. */
#define OPERATIONS(ROW)                \
	ROW(OP_LAUNCH, 40)             \
	ROW(OP_COPY_TO_DEVICE, 3)      \
	ROW(OP_COPY_TO_HOST, 3)        \
	ROW(OP_COPY_ON_DEVICE, 3)      \
	ROW(OP_COPY_SYNCHRONOUS, 1)    \
	ROW(OP_MEMSET, 3)              \
	ROW(OP_MEMSET_SYNCHRONOUS, 1)  \
	ROW(OP_HOST_FUNCTION, 2)       \
	ROW(OP_WRITE_VALUE, 2)         \
	ROW(OP_HAND_OVER, 2)           \
	ROW(OP_EVENT_RECORD, 8)        \
	ROW(OP_EVENT_WAIT, 8)          \
	ROW(OP_EVENT_SYNCHRONIZE, 1)   \
	ROW(OP_EVENT_QUERY, 2)         \
	ROW(OP_STREAM_SYNCHRONIZE, 2)  \
	ROW(OP_STREAM_QUERY, 2)        \
	ROW(OP_CONTEXT_SYNCHRONIZE, 1) \
	ROW(OP_ALLOCATE, 1)            \
	ROW(OP_FREE, 1)                \
	ROW(OP_ALLOCATE_ASYNC, 2)      \
	ROW(OP_GRAPH_LAUNCH, 8)        \
	ROW(OP_REMAKE_STREAM, 1)       \
	ROW(OP_REMAKE_EVENT, 1)        \
	ROW(OP_PAUSE, 2)               \
	ROW(OP_MEET, 0)                \
	ROW(OP_OTHER_CONTEXT, 0)       \
	ROW(OP_BATCH, 0)

enum operation_kind {
#define ROW(name, weight) name,
	OPERATIONS(ROW)
#undef ROW
		N_OPERATION_KINDS
};

/* How a kernel is launched. */
enum launch_way {
	LAUNCH_PLAIN,
	LAUNCH_EX,
	LAUNCH_PROGRAMMATIC,
	LAUNCH_CLUSTER,
	LAUNCH_COOPERATIVE,
	N_LAUNCH_WAYS
};

/*
 * Kernels up to KERNEL_CLAIM, KERNEL_FETCH and the last two fail if their last argument says so.
 * KERNEL_FETCH and KERNEL_FETCH_THROUGH load where KERNEL_STRAY and KERNEL_THROUGH store.
 */
enum kernel {
	KERNEL_STRAY,
	KERNEL_CROOKED,
	KERNEL_QUIT,
	KERNEL_CLAIM,
	KERNEL_THROUGH,
	KERNEL_SWEEP,
	KERNEL_EARLY,
	KERNEL_FETCH,
	KERNEL_FETCH_THROUGH,
	KERNEL_ASTRAY,
	KERNEL_BEYOND,
	N_KERNELS
};
extern const char *const kernel_names[N_KERNELS];

enum fault {
	FAULT_NONE,
	FAULT_KERNEL,         /* a launch that is wrong by its argument */
	FAULT_FREED,          /* a launch on freed memory */
	FAULT_COPY,           /* a copy whose source is unmapped while it waits */
	FAULT_GRAPH_MEMORY,   /* a replay after a memset that makes one of its nodes wrong */
	FAULT_GRAPH_UPDATE,   /* a replay after one of its nodes was given a wrong argument */
	FAULT_GRAPH_CAPTURED, /* the first replay: the node was made wrong */
	N_FAULTS
};
extern const char *const fault_names[N_FAULTS];

enum stream_kind { STREAM_LEGACY, STREAM_PER_THREAD, STREAM_BLOCKING, STREAM_NON_BLOCKING };
extern const char *const stream_kind_names[4];

struct stream_plan {
	enum stream_kind kind;
	int priority;
	unsigned context;
	int owner;      /* the only thread that uses it; -1: any of its context */
	bool is_remade; /* it may be destroyed and recreated while the program runs */
};

/*
 * A launch of a kernel in a stream or a graph. The tag is its first argument; no other launch has
 * the same one.
 */
struct launch_plan {
	enum kernel kernel;
	enum launch_way way;
	unsigned grid, block;
	unsigned microseconds;
	unsigned tag;
	bool is_wrong;
};

struct node_plan {
	struct launch_plan launch;
	bool is_memset; /* instead of the launch */
	unsigned after; /* the node it depends on; its own number: none */
};

struct graph_plan {
	unsigned owner;  /* the only thread that launches it */
	unsigned stream; /* always into this one */
	bool is_captured;
	bool is_nested; /* as a child graph, alone in the graph that is launched */
	unsigned n_nodes;
	struct node_plan nodes[MAX_NODES];
	unsigned faulty_node;
};

struct operation {
	enum operation_kind kind;
	unsigned stream, event, graph;
	unsigned other_stream; /* what a value is handed over to */
	unsigned microseconds; /* of a pause or a host function */
	unsigned tag;          /* of copies: which part of the destination it writes */
	bool is_fault;
	bool is_apart; /* made by a thread that lives for it alone */
	bool is_past;  /* goes through the program's door */
	struct launch_plan launch;
};

struct thread_plan {
	unsigned context;
	unsigned n_operations;
	struct operation operations[MAX_OPERATIONS];
};

struct program {
	uint64_t seed;
	enum fault fault;
	enum door door;
	unsigned n_contexts, n_threads, n_streams, n_events, n_graphs;
	bool goes_on;    /* after the first error that it sees */
	bool closes;     /* destroys everything at its end */
	bool polls;      /* ends by polling until all work is done, not by waiting */
	unsigned n_tags; /* the highest tag that is in use */
	unsigned n_streams_used;
	bool is_green[MAX_CONTEXTS];
	struct stream_plan streams[MAX_STREAMS + MAX_THREADS];
	unsigned event_contexts[MAX_EVENTS];
	struct graph_plan graphs[MAX_GRAPHS];
	struct thread_plan threads[MAX_THREADS];
};

/* Fill *out with the program of the seed, without a fault if `is_clean`. */
void program_generate(uint64_t seed, bool is_clean, struct program *out);

/* Print the program as a list of calls on standard output. */
void program_print(const struct program *program);

/*
 * Run the program. Returns 0 if there was no error, 1 if it failed as programs with a fault do, 2
 * if something else went wrong.
 */
int program_run(const struct program *program, const char *kernels_path, const char *truth_path,
		const char *plugin_path);

#endif
