/*
 * graph_finding.c - group rows, and look for causes in them.
 */
#include "checks/graph_finding.h"

uint32_t graph_finding_count(const struct bundle_view *view, uint32_t first)
{
	const struct graph_check_row *row = view_graph_check(view, first);
	uint32_t n = row->n_rows;
	if (row->index || n == 0 || n > GRAPH_CHECK_MAX_ROWS)
		return 1;
	for (uint32_t i = 1; i < n; i++) {
		const struct graph_check_row *next = view_graph_check(view, first + i);
		if (!next || next->graph != row->graph || next->kind != row->kind ||
		    next->index != i)
			return 1;
	}
	return n;
}

uint32_t graph_finding_node(const struct bundle_view *view, uint32_t first, uint32_t n)
{
	uint32_t node = view_graph_check(view, first)->node;
	uint32_t n_own = 1;
	while (n_own < n && view_graph_check(view, first + n_own)->node == node)
		n_own++;
	return n_own;
}

bool graph_finding_is_gain(const struct graph_check_row *row)
{
	return row->after.run == row->replay && !row->before.run;
}

uint32_t graph_finding_cause(const struct bundle_view *view, uint32_t first, uint32_t n)
{
	uint32_t cause = 0;
	uint32_t newest = 0;
	for (uint32_t id = first; id < first + n; id++) {
		uint32_t run = view_graph_check(view, id)->before.run;
		if (run > newest) {
			newest = run;
			cause = id;
		}
	}
	return cause;
}
