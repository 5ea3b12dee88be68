/*
 * graph_marking.c - decide when graphs have markers.
 */
#include "record/graphs/graph_marking.h"

#include <stddef.h>

#include "record/driver/driver.h"
#include "record/graphs/graphs.h"

/*
 * Flags with which a second instance is as good as the first. Excluded are
 * CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD, which does work, and ..._DEVICE_LAUNCH, which forbids nodes
 * of the kind that writes a word.
 */
static const unsigned long long known_flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH |
					      CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

/* The application's instance is made first, so that our nodes do not decide whether it works. */
static bool replace(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
	CUgraphExec marked = NULL;
	if (real.cuGraphInstantiateWithFlags(&marked, graph, flags) != CUDA_SUCCESS)
		return false;
	(void)real.cuGraphExecDestroy(*exec);
	*exec = marked;
	return true;
}

void graph_marking_instantiated(CUgraphExec *exec, CUgraph graph, unsigned long long flags,
				struct graph_word *out_word, struct graph_marking *out_marking)
{
	*out_marking = (struct graph_marking){0};
	if (graph_markers_interval() == 0 || flags & ~known_flags ||
	    !graph_markers_equip(out_word) ||
	    !graph_markers_add(graph, out_word->device_word, out_marking))
		return;
	bool is_replaced = replace(exec, graph, flags);
	graph_markers_remove(out_marking);
	out_word->n_markers = out_marking->n_markers;
	if (is_replaced)
		*out_word->word = out_word->n_markers; /* proves nothing, until the first launch */
	else
		out_marking->n_markers = 0;
}

void graph_marking_before_update(CUgraphExec exec, CUgraph graph)
{
	struct graph_word word = graphs_word(exec);
	struct graph_marking *marking = graphs_update_marking(exec);
	if (marking && word.n_markers)
		(void)graph_markers_add(graph, word.device_word, marking);
}

void graph_marking_after_update(CUgraphExec exec)
{
	struct graph_marking *marking = graphs_update_marking(exec);
	if (marking)
		graph_markers_remove(marking);
}

void graph_marking_hide_node(CUgraphExec exec, CUgraphNode *node)
{
	const struct graph_marking *marking = graphs_update_marking(exec);
	for (size_t i = 0; marking && i < marking->added.n_nodes; i++) {
		if (marking->added.nodes[i] == *node)
			*node = NULL;
	}
}
