/*
 * graph_findings.h - the file that checks of graphs fill: what they found in which replay, and
 * which graphs have no checks. It is in memory beside the journal, a sequence of records. Readers
 * trust none of it.
 */
#ifndef CULPRIT_BASE_GRAPH_FINDINGS_H
#define CULPRIT_BASE_GRAPH_FINDINGS_H

#include <assert.h>
#include <stdint.h>

#include "base/check_format.h"

#define GRAPH_FINDINGS_NAME  "graph-findings"
#define GRAPH_FINDINGS_MAGIC 0x3153444e46475543ull /* "CUGFNDS1" */

enum graph_finding_kind {
	GRAPH_FINDING_UNCHECKED, /* the graph has no checks, or none any more */
	GRAPH_FINDING_ODD,       /* NaN or infinities that appeared in a replay */
	GRAPH_FINDING_LAST,      /* the newest answers, when the graph or the process ended */
};

enum {
	GRAPH_FINDING_MAX_ROWS = 1024,
	GRAPH_FINDING_REASON = 96,
	GRAPH_FINDINGS_MAX_BYTES = 16 << 20, /* of the file */
};

/* A record: this header, then n_rows of struct graph_finding_row. */
struct graph_finding {
	uint64_t magic;
	uint64_t graph;  /* number of the graph in graphs */
	uint64_t handle; /* CUgraphExec */
	uint32_t n_rows;
	uint32_t kind;      /* enum graph_finding_kind */
	uint32_t replay;    /* from 1 */
	uint32_t n_replays; /* launches so far */
	uint32_t stack;     /* of the call that instantiated the graph */
	uint32_t n_checked; /* kernels with checks */
	uint32_t
		is_linear; /* each node waits for the one before, so no other one wrote meanwhile */
	uint32_t is_cut;   /* rows did not fit */
	char reason[GRAPH_FINDING_REASON]; /* why GRAPH_FINDING_UNCHECKED */
};
static_assert(sizeof(struct graph_finding) == 152, "graph_finding is a format");

/* One argument of one node. In GRAPH_FINDING_ODD, results that were not odd by that
 * replay have run 0. */
struct graph_finding_row {
	uint32_t node;            /* index in the graph, as in graph-nodes */
	uint32_t function, stack; /* ids; the stack added or captured the node */
	uint32_t parameter;
	uint32_t offset;  /* in the parameter, of a pointer in a structure */
	uint32_t is_made; /* odd after the kernel, and no argument of it was so before */
	uint64_t address, bytes;
	uint64_t number, start, size; /* of the allocation */
	struct check_result before, after;
};
static_assert(sizeof(struct graph_finding_row) == 240, "graph_finding_row is a format");

#endif
