/*
 * graph_json.c - a launched graph as JSON, with the nodes that may have failed.
 */
#include "json/json_parts.h"

#include <stdlib.h>

#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "json/json_values.h"

enum { NAME_SIZE = 16384 };

static json_t *node_name_to_json(const struct analysis *analysis, const struct graph_node_row *node)
{
	char *name = malloc(NAME_SIZE);
	if (!name)
		return NULL;
	struct text text = text_in(name, NAME_SIZE);
	report_node_name(&analysis->report, node, false, &text);
	json_t *value = json_string(name);
	free(name);
	return value;
}

/* Return the kernel's members; they are null for other nodes. */
static json_t *kernel_to_json(const struct analysis *analysis, const struct graph_node_row *node)
{
	const struct bundle_view *view = analysis->report.view;
	const struct function_row *function = view_function(view, node->function);
	if (node->work != WORK_KERNEL)
		return json_pack("{s:n, s:n, s:n, s:n, s:n}", "kernel", "kernel_mangled", "grid",
				 "block", "shared_bytes");
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "kernel", node_name_to_json(analysis, node),
			 "kernel_mangled", json_view_string(view, function ? function->name : 0),
			 "grid", json_dimensions(node->grid[0], node->grid[1], node->grid[2]),
			 "block", json_dimensions(node->block[0], node->block[1], node->block[2]),
			 "shared_bytes", json_count(node->shared_bytes));
}

static json_t *node_to_json(const struct analysis *analysis, const struct graph_node_row *node)
{
	json_t *value =
		json_pack("{s:o, s:s, s:s, s:b, s:o, s:o, s:o}", "index", json_count(node->index),
			  "kind", report_work_label(node->work), "origin", report_node_origin(node),
			  "copied", node->flags & GRAPH_NODE_COPIED ? 1 : 0, "arguments",
			  node_arguments_to_json(analysis, node), "stack",
			  stack_to_json(analysis, node->stack), "python_stack",
			  python_stack_to_json(analysis, node->stack));
	json_t *kernel = kernel_to_json(analysis, node);
	if (value && kernel)
		json_object_update(value, kernel);
	json_decref(kernel);
	return value;
}

static json_t *nodes_to_json(const struct analysis *analysis, const struct graph_claim *claim)
{
	json_t *array = json_array();
	for (uint64_t i = 0; i < claim->n_candidates && i < GRAPH_MAX_CANDIDATES; i++)
		json_array_append_new(array, node_to_json(analysis, &claim->candidates[i]));
	return array;
}

json_t *graph_to_json(const struct analysis *analysis, const struct journal_record *record)
{
	const struct verdict *verdict = analysis->report.verdict;
	const struct journal_record *first = &verdict->suspects[0].record;
	if (record->work != WORK_GRAPH)
		return json_null();
	/* The verdict holds the first suspect's claim, which may say more than the journal. */
	struct graph_claim claim;
	if (record->sequence == first->sequence)
		claim = verdict->graph;
	else
		graph_claim(analysis->report.view, record, verdict->failure.code, NULL, &claim);
	return json_pack(
		"{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "handle",
		json_handle(record->graph.handle), "replay", json_count(record->graph.replay),
		"node_verdict", report_graph_certainty(claim.certainty), "n_nodes",
		claim.n_nodes > 0 ? json_count(claim.n_nodes) : json_null(), "n_kernels",
		claim.n_nodes > 0 ? json_count(claim.n_kernels) : json_null(), "n_finished",
		json_count(claim.n_finished), "n_candidates", json_count(claim.n_candidates),
		"candidates", nodes_to_json(analysis, &claim));
}
