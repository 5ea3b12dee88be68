/*
 * graph_claim.h - which node of a launched graph caused the failure. A claim lists the nodes that
 * the launch ran and that can raise the code, and says how sure the first one is. Pure, as the rest
 * of this folder.
 *
 * The claim supposes that the launch is the culprit; the verdict says how sure that is.
 *
 * EXACT: the journal has every node of the graph as it was launched, and one alone can raise the
 * code. LIKELY: the first node listed is alone in running the code that a core dump names, or in
 * having arguments from which the fault's address follows; or it alone can raise the code, in a
 * graph with culprit's checks. NARROWED: one of the nodes listed. UNKNOWN: not all nodes are known.
 *
 * A marker within a graph proves that the work before it is finished. A missing marker proves
 * nothing, since it may be late: it only decides which node is listed first.
 */
#ifndef CULPRIT_ATTRIBUTION_GRAPH_CLAIM_H
#define CULPRIT_ATTRIBUTION_GRAPH_CLAIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/bundle_view.h"

enum graph_certainty { GRAPH_UNKNOWN, GRAPH_NARROWED, GRAPH_LIKELY, GRAPH_EXACT };

enum { GRAPH_MAX_CANDIDATES = 16 };

struct graph_claim {
	enum graph_certainty certainty;
	uint32_t flags;     /* enum graph_flags: why it is UNKNOWN although nodes are listed */
	bool has_checks;    /* kernels of culprit's that can raise the code ran between the nodes */
	uint64_t n_nodes;   /* of the graph, 0: nothing is known about it */
	uint64_t n_kernels; /* among the nodes read, without disabled ones */
	uint64_t n_finished;   /* would be candidates, but a marker after them has landed */
	uint64_t n_candidates; /* can raise the code; the first of them are below */
	struct graph_node_row candidates[GRAPH_MAX_CANDIDATES]; /* kernels first */
};

/*
 * Facts about the kernel that failed, from a GPU core dump and not from the journal. A member that
 * is 0 or NULL is unknown. Bytes of `parameters` between the parameters are ignored. A kernel has
 * several handles: a CUkernel, and a CUfunction in each context. So another handle clears a node
 * only if the journal knows both handles by different names.
 */
struct graph_match {
	uint64_t function; /* CUfunction */
	const char *name;  /* of the kernel, mangled */
	uint32_t grid[3];
	uint32_t block[3];
	bool is_cooperative_grid; /* dumps show this for cooperative launches of any size */
	const void *parameters;   /* the whole parameter buffer */
	size_t parameter_bytes;
	/* Instead of all above: false clears the node. NULL: all above counts. */
	bool (*may_be)(const void *state, const struct graph_node_row *node);
	const void *state;
};

/*
 * Fill *out with the nodes of a graph launch that can raise `code`. All is zero for other work, and
 * for a graph whose rows are lost. `match` (NULL: nothing is known) leaves out the nodes that
 * differ from it. If one node is left and all nodes are known, it is EXACT; LIKELY if only a core
 * dump could clear the checks of culprit's among the nodes. Any thread.
 */
void graph_claim(const struct bundle_view *view, const struct journal_record *record, int32_t code,
		 const struct graph_match *match, struct graph_claim *out);

/* Put this candidate before the others. Any thread. */
void graph_claim_prefer(struct graph_claim *claim, const struct graph_node_row *node);

/* True if calls that culprit did not see may have changed the graph. Any thread. */
bool graph_claim_is_unsure(const struct bundle_view *view);

#endif
