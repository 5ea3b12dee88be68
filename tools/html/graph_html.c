/*
 * graph_html.c - draw a box for each node in the order of its index; nodes of child graphs are
 * indented. Arrows are drawn only if the graph is known to be a chain.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_names.h"

/* Pixels. */
enum { BOX = 26, STEP = 40, LEFT = 10, WIDTH = 700, INSET = 30, MAX_NODES = 256 };

struct nodes {
	struct graph_row graph;
	struct graph_node_row rows[MAX_NODES];
	size_t n;
};

static bool read_nodes(const struct html_report *report, struct nodes *out)
{
	const struct bundle_view *view = report->analysis->report.view;
	const struct verdict *verdict = report->analysis->verdict;
	const struct record_graph *launched = &verdict->suspects[0].record.graph;
	out->n = 0;
	if (!verdict->n_suspects || verdict->suspects[0].record.work != WORK_GRAPH ||
	    !view_graph_copy(view, launched->row, &out->graph) ||
	    out->graph.number != launched->number)
		return false;
	uint32_t id = out->graph.first;
	while (out->n < MAX_NODES && view_graph_node_copy(view, id, &out->rows[out->n]) &&
	       out->rows[out->n].number == launched->number)
		id = out->rows[out->n++].next;
	return out->n > 0;
}

/* Return the node's rank among the listed candidates, from 1; 0 if it is not one of them. */
static uint64_t find_candidate(const struct graph_claim *claim, uint32_t index)
{
	for (uint64_t i = 0; i < claim->n_candidates && i < GRAPH_MAX_CANDIDATES; i++)
		if (claim->candidates[i].index == index)
			return i + 1;
	return 0;
}

static const char *class_of(const struct graph_claim *claim, uint64_t candidate)
{
	if (candidate == 1 && claim->certainty >= GRAPH_LIKELY)
		return "s-startable suspect";
	return candidate ? "s-startable" : "s-unknown";
}

static void print_node(const struct html_report *report, const struct nodes *nodes, size_t at,
		       char *buffer)
{
	const struct graph_claim *claim = &report->analysis->verdict->graph;
	const struct graph_node_row *node = &nodes->rows[at];
	uint64_t candidate = find_candidate(claim, node->index);
	unsigned x = LEFT + (node->holder ? INSET : 0);
	unsigned y = 4 + (unsigned)at * STEP;
	struct text text = text_in(buffer, HTML_NAME_SIZE);
	report_node_name(&report->analysis->report, node, true, &text);
	html_print(report->out,
		   "<g><title>%s</title><rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"%u\" "
		   "height=\"%d\" rx=\"4\"></rect>",
		   candidate ? "may have raised the error" : "", class_of(claim, candidate), x, y,
		   WIDTH - x, BOX);
	buffer[HTML_SHORT_SIZE / 2] = '\0';
	html_print(report->out, "<text class=\"small\" x=\"%u\" y=\"%u\">%u: %s%s</text></g>\n",
		   x + 8, y + 17, node->index, buffer,
		   node->flags & GRAPH_NODE_DISABLED ? " (disabled)" : "");
	if (nodes->graph.is_linear && at + 1 < nodes->n)
		html_print(report->out,
			   "<line class=\"wait\" x1=\"%d\" y1=\"%u\" x2=\"%d\" y2=\"%u\" "
			   "marker-end=\"url(#arrow)\"></line>\n",
			   LEFT + 60, y + BOX, LEFT + 60, y + STEP);
}

static void print_nodes(const struct html_report *report, const struct nodes *nodes, char *buffer)
{
	html_print(report->out,
		   "<section id=\"r%u-graph\"><h2>Graph</h2>\n<p class=\"note\">%u node%s, by "
		   "index%s.</p>\n<div class=\"scroll tall\" tabindex=\"0\" role=\"region\" "
		   "aria-label=\"Nodes of the graph\"><svg role=\"img\" aria-label=\"Nodes of the "
		   "graph\" viewBox=\"0 0 %d %u\">\n",
		   report->number, nodes->graph.n_nodes, nodes->graph.n_nodes == 1 ? "" : "s",
		   nodes->graph.is_linear ? ", each after the one before"
					  : "; dependencies are not recorded",
		   WIDTH + LEFT, (unsigned)nodes->n * STEP);
	for (size_t at = 0; at < nodes->n; at++)
		print_node(report, nodes, at, buffer);
	html_print(report->out, "</svg></div>\n");
	if (nodes->n < nodes->graph.n_nodes)
		html_print(report->out, "<p class=\"note\">Only the first %zu are drawn.</p>\n",
			   nodes->n);
	html_print(report->out, "</section>\n");
}

bool html_graph_is_there(const struct html_report *report)
{
	struct nodes *nodes = malloc(sizeof(*nodes));
	bool is_there = nodes && read_nodes(report, nodes);
	free(nodes);
	return is_there;
}

void html_graph(const struct html_report *report)
{
	struct nodes *nodes = malloc(sizeof(*nodes));
	char *buffer = malloc(HTML_NAME_SIZE);
	if (nodes && buffer && read_nodes(report, nodes))
		print_nodes(report, nodes, buffer);
	free(buffer);
	free(nodes);
}
