/*
 * journal_graph_checks.h - the part of journal_format.h for checks of graphs: what they found in
 * which replay, and which graphs have no checks. Include journal_format.h instead of this file.
 */
#ifndef CULPRIT_BASE_JOURNAL_GRAPH_CHECKS_H
#define CULPRIT_BASE_JOURNAL_GRAPH_CHECKS_H

#include <assert.h>
#include <stdint.h>

#include "base/check_format.h"

/* The subject of a finding. Its rows follow each other, in the order of nodes and parameters. */
enum graph_check_kind {
	GRAPH_CHECK_NONE, /* the graph has no checks, or none any more: one row, no argument */
	GRAPH_CHECK_ODD,  /* nodes in which NaN or infinities appeared in the replay */
	GRAPH_CHECK_UNFINISHED, /* odd arguments of nodes that had not finished the replay */
	GRAPH_CHECK_LAST,       /* the newest answers, when the graph or the process ended */
	N_GRAPH_CHECK_KINDS
};

enum graph_check_flags {
	GRAPH_CHECK_IS_LINEAR = 1,  /* each node waits for the one before it */
	GRAPH_CHECK_IS_CUT = 2,     /* rows of the finding are left out */
	GRAPH_CHECK_IS_EMPTY = 4,   /* the row has no argument */
	GRAPH_CHECK_INFINITIES = 8, /* infinities count as odd, beside NaN */
	GRAPH_CHECK_IS_SAMPLED = 16 /* of some kernel's argument, only a sample was read */
};

enum { GRAPH_CHECK_MAX_ROWS = 1024 }; /* of one finding */

/* One argument of one node. A result that is not odd in GRAPH_CHECK_ODD has run 0. */
struct graph_check_row {
	uint64_t graph;          /* number of the graph in graphs */
	uint64_t handle;         /* CUgraphExec */
	uint64_t address, bytes; /* that were checked */
	uint64_t number;         /* of the allocation */
	uint64_t start, size;    /* of the allocation */
	uint32_t kind;           /* enum graph_check_kind */
	uint32_t flags;          /* enum graph_check_flags */
	uint32_t n_rows;         /* of the finding */
	uint32_t index;          /* of this row among those */
	uint32_t reason;         /* id in strings: why GRAPH_CHECK_NONE */
	uint32_t replay;         /* from 1 */
	uint32_t n_replays;      /* launches so far */
	uint32_t graph_stack;    /* id in stacks, of the call that instantiated the graph */
	uint32_t n_checked;      /* kernels with checks */
	uint32_t node;           /* index in the graph, as in graph-nodes */
	uint32_t function;       /* id in functions */
	uint32_t stack;          /* id in stacks, of the call that added or captured the node */
	uint32_t parameter;      /* index */
	uint32_t offset;         /* in the parameter, of a pointer in a structure */
	uint32_t kib_read;       /* by the check before the kernel, of all its arguments */
	uint32_t kib_given;      /* all that it would read without samples */
	struct check_result before, after;
};
static_assert(sizeof(struct graph_check_row) == 296, "graph_check_row is part of the format");

#endif
