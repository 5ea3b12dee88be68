/*
 * report_graph.c - the lines about a launched graph's nodes: the one that did it, or those that
 * may have.
 */
#include <inttypes.h>
#include <string.h>

#include "report_lines.h"

enum { MAX_NODE_FRAMES = 8, MAX_LISTED_NODES = 8, MAX_LISTED_FRAMES = 3 };

void report_node_record(const struct graph_node_row *node, struct journal_record *out)
{
	memset(out, 0, sizeof(*out));
	out->work = node->work;
	out->stack = node->stack;
	if (node->work != WORK_KERNEL)
		return;
	out->launch.function = node->function;
	out->launch.shared_bytes = node->shared_bytes;
	memcpy(out->launch.grid, node->grid, sizeof(node->grid));
	memcpy(out->launch.block, node->block, sizeof(node->block));
}

const char *report_node_origin(const struct graph_node_row *node)
{
	static const char *const words[] = {
		[GRAPH_NODE_UNSEEN] = "unseen",
		[GRAPH_NODE_CAPTURED] = "captured",
		[GRAPH_NODE_ADDED] = "added",
	};

	return node->source <= GRAPH_NODE_ADDED ? words[node->source] : words[GRAPH_NODE_UNSEEN];
}

const char *report_graph_certainty(enum graph_certainty certainty)
{
	static const char *const words[] = {
		[GRAPH_UNKNOWN] = "unknown",
		[GRAPH_NARROWED] = "narrowed",
		[GRAPH_LIKELY] = "likely",
		[GRAPH_EXACT] = "exact",
	};

	return words[certainty];
}

static const char *noun_of(uint8_t work)
{
	switch (work) {
	case WORK_COPY:
		return "a copy";
	case WORK_MEMSET:
		return "a memset";
	case WORK_MEMOP:
		return "a memory operation";
	default:
		return "a node of an unknown kind";
	}
}

void report_node_name(const struct report *report, const struct graph_node_row *node, bool is_short,
		      struct text *out)
{
	struct journal_record record;

	report_node_record(node, &record);
	if (node->work == WORK_KERNEL)
		report_work_name(report, &record, is_short, out);
	else
		text_add(out, noun_of(node->work));
}

/* ", captured at launch.c:29 launch_fill": the node's own stack, not that of the graph's launch. */
static void add_node_origin(const struct report *report, const struct graph_node_row *node,
			    size_t max, struct text *out)
{
	if (node->source == GRAPH_NODE_UNSEEN) {
		text_add(out, ", made unseen");
		return;
	}
	text_addf(out, ", %s at ", report_node_origin(node));
	report_stack(report, node->stack, max, out);
}

static void add_node(const struct report *report, const struct graph_node_row *node, size_t max,
		     struct text *out)
{
	struct journal_record record;

	text_addf(out, "%" PRIu32 ": ", node->index);
	report_node_name(report, node, false, out);
	report_node_record(node, &record);
	if (node->work == WORK_KERNEL)
		add_launch_shape(&record, out);
	add_node_origin(report, node, max, out);
	end_line(out);
}

static void add_doubt(const struct graph_claim *claim, struct text *out)
{
	if (claim->n_nodes == 0)
		text_add(out, "not known: the graph was instantiated unseen, or long forgotten");
	else if (claim->flags & GRAPH_NODES_CHANGED)
		text_add(out, "were changed in a way that culprit does not follow");
	else if (claim->flags & GRAPH_NODES_HIDDEN)
		text_add(out, "not all known: what a conditional node runs is not");
	else if (claim->flags & GRAPH_NODES_LOST)
		text_add(out, "not all known: there was no room for them");
	else
		text_add(out, "none of them can have raised the error");
	end_line(out);
}

static void add_summary(const struct graph_claim *claim, struct text *out)
{
	begin_line(out, "nodes");
	if (claim->certainty == GRAPH_UNKNOWN) {
		add_doubt(claim, out);
		return;
	}
	text_add(out, "one of ");
	report_count(out, claim->n_candidates, "node");
	text_addf(out, " that can have raised it, of %" PRIu64, claim->n_nodes);
	if (claim->n_finished > 0)
		text_addf(out, "; by their markers %" PRIu64 " more are finished",
			  claim->n_finished);
	end_line(out);
}

static void add_candidates(const struct report *report, const struct graph_claim *claim,
			   struct text *out)
{
	uint64_t n =
		claim->n_candidates < MAX_LISTED_NODES ? claim->n_candidates : MAX_LISTED_NODES;

	add_summary(claim, out);
	for (uint64_t i = 0; i < n; i++) {
		begin_line(out, "");
		add_node(report, &claim->candidates[i], MAX_LISTED_FRAMES, out);
	}
	if (claim->n_candidates > n) {
		begin_line(out, "");
		text_addf(out, "and %" PRIu64 " more\n", claim->n_candidates - n);
	}
}

/* Why a node is named. */
static void add_reason(const struct graph_claim *claim, struct text *out)
{
	if (claim->n_finished > 0)
		text_addf(out, "by their markers %" PRIu64 " before it are finished; ",
			  claim->n_finished);
	if (claim->certainty == GRAPH_LIKELY && claim->n_candidates == 1)
		text_addf(out, "the only one of %" PRIu64 " that runs the code that faulted\n",
			  claim->n_nodes);
	else if (claim->certainty == GRAPH_LIKELY)
		text_addf(out, "of the %" PRIu64 " others that can have raised it it comes first\n",
			  claim->n_candidates);
	else
		text_addf(out, "the only one of %" PRIu64 " that can have raised it\n",
			  claim->n_nodes);
}

void add_graph(const struct report *report, struct text *out)
{
	const struct graph_claim *claim = &report->verdict->graph;

	if (claim->certainty < GRAPH_LIKELY) {
		add_candidates(report, claim, out);
		return;
	}
	begin_line(out, "node");
	add_node(report, &claim->candidates[0], MAX_NODE_FRAMES, out);
	begin_line(out, "");
	add_reason(claim, out);
	add_node_arguments(report, &claim->candidates[0], out);
}

void add_graph_headline(const struct report *report, struct text *out)
{
	const struct graph_claim *claim = &report->verdict->graph;

	if (claim->certainty == GRAPH_NARROWED) {
		text_add(out, ", one of ");
		report_count(out, claim->n_candidates, "node");
	} else if (claim->certainty != GRAPH_UNKNOWN) {
		text_add(out, claim->certainty == GRAPH_LIKELY ? ", likely node " : ", node ");
		report_node_name(report, &claim->candidates[0], true, out);
		add_node_origin(report, &claim->candidates[0], 1, out);
	}
}
