/*
 * graph_claim.h - which node of a launched graph did it: the nodes that the launch ran and that can
 * raise the code, and how sure it is that the first of them did. Pure, as the rest of this folder.
 *
 * The claim supposes that the launch is the culprit; the verdict says how sure that is. EXACT: the
 * journal has every node of the graph as it was when it was launched, and one alone can raise the
 * code. LIKELY: the first of those listed, alone between the newest marker that came and the first
 * one that did not, or the only one that runs the code that a core dump names. Markers within a
 * graph prove what they follow finished; that one has not come proves nothing, since it may lag.
 * NARROWED: one of those listed. UNKNOWN: its nodes are not known, or not all of them.
 */
#ifndef CULPRIT_VERDICT_GRAPH_CLAIM_H
#define CULPRIT_VERDICT_GRAPH_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/view/bundle_view.h"

enum graph_certainty { GRAPH_UNKNOWN, GRAPH_NARROWED, GRAPH_LIKELY, GRAPH_EXACT };

enum { GRAPH_MAX_CANDIDATES = 16 };

struct graph_claim {
	enum graph_certainty certainty;
	uint32_t flags;        /* enum graph_flags: why it is UNKNOWN although nodes are listed */
	uint64_t n_nodes;      /* of the graph, 0: nothing is known of it */
	uint64_t n_kernels;    /* of those read; disabled ones are not counted */
	uint64_t n_finished;   /* would be candidates, but for a marker behind them that has come */
	uint64_t n_candidates; /* can raise the code; the first of them are below */
	struct graph_node_row candidates[GRAPH_MAX_CANDIDATES]; /* kernels first */
};

/*
 * What is known of the kernel that failed, by means other than the journal (a GPU core dump). A
 * member that is 0 or NULL tells nothing. Bytes of `parameters` between the parameters are ignored.
 * A kernel has several handles (a CUkernel, and a CUfunction in each context): another handle
 * clears a node only if the journal knows both, by different names.
 */
struct graph_match {
	uint64_t function; /* CUfunction */
	const char *name;  /* of the kernel, mangled */
	uint32_t grid[3];
	uint32_t block[3];
	bool is_cooperative_grid; /* so is every cooperative launch's told, of any size */
	const void *parameters;   /* the whole parameter buffer */
	size_t parameter_bytes;
};

/*
 * Fills *out with the nodes of a graph launch that can raise `code`; of other work, and of one
 * whose rows are gone, all is zero. `match` (NULL: nothing is known) leaves out those that it
 * tells apart: what is left is EXACT if it is one and all nodes are known. Any thread.
 */
void graph_claim(const struct bundle_view *view, const struct journal_record *record, int32_t code,
		 const struct graph_match *match, struct graph_claim *out);

#endif
