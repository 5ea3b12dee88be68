/*
 * report_graph.c - lines about a launched graph's nodes: the one that caused the failure, or those
 * that may have.
 */
#include "report/report_parts.h"

#include <inttypes.h>

#include "report/report_arguments.h"
#include "report/report_names.h"
#include "report/report_stack.h"

enum { MAX_NODE_FRAMES = 8, MAX_LISTED_NODES = 8, MAX_LISTED_FRAMES = 3 };

/* Append ", captured at launch.c:29 launch_fill": the node's own stack, not the graph launch's. */
static void add_node_origin(struct page *page, const struct graph_node_row *node, size_t max)
{
	if (node->source == GRAPH_NODE_UNSEEN) {
		text_add(&page->text, ", made unseen");
		return;
	}
	text_addf(&page->text, ", %s at ", report_node_origin(node));
	report_add_stack(page, node->stack, max);
}

/* Append the candidate with that index to the current line. */
static void add_node(struct page *page, uint64_t index, size_t max)
{
	const struct graph_node_row *node = &page->report.verdict->graph.candidates[index];
	page_set_subject(page, PAGE_OF_NODE, index);
	text_addf(&page->text, "%" PRIu32 ": ", node->index);
	report_node_name(&page->report, node, false, &page->text);
	struct journal_record record;
	report_node_record(node, &record);
	if (node->work == WORK_KERNEL)
		report_launch_shape(&record, &page->text);
	add_node_origin(page, node, max);
	page_end(page);
}

static const char *doubt_of(const struct graph_claim *claim)
{
	if (claim->n_nodes == 0)
		return "not known: the graph was instantiated unseen, or long forgotten";
	if (claim->flags & GRAPH_NODES_CHANGED)
		return "were changed in a way that culprit does not follow";
	if (claim->flags & GRAPH_NODES_HIDDEN)
		return "not all known: what a conditional node runs is not";
	if (claim->flags & GRAPH_NODES_LOST)
		return "not all known: there was no room for them";
	return "none of them can have raised the error";
}

static void add_summary(struct page *page, const struct graph_claim *claim)
{
	struct text *out = &page->text;
	page_begin(page, PAGE_NODES);
	if (claim->certainty == GRAPH_UNKNOWN) {
		text_add(out, doubt_of(claim));
		page_end(page);
		return;
	}
	text_add(out, "one of ");
	text_add_count(out, claim->n_candidates, "node");
	text_addf(out, " that can have raised it, of %" PRIu64, claim->n_nodes);
	if (claim->has_checks)
		text_add(out, ", unless one of culprit's checks did");
	if (claim->n_finished > 0)
		text_addf(out, "; by their markers %" PRIu64 " more are finished",
			  claim->n_finished);
	page_end(page);
}

static void add_candidates(struct page *page, const struct graph_claim *claim)
{
	uint64_t n =
		claim->n_candidates < MAX_LISTED_NODES ? claim->n_candidates : MAX_LISTED_NODES;
	add_summary(page, claim);
	for (uint64_t i = 0; i < n; i++) {
		page_below(page, PAGE_NODES);
		add_node(page, i, MAX_LISTED_FRAMES);
	}
	if (claim->n_candidates > n)
		page_add_more(page, PAGE_NODES, claim->n_candidates - n);
}

/* Append why a node is named. */
static void add_reason(struct page *page, const struct graph_claim *claim)
{
	struct text *out = &page->text;
	page_below(page, PAGE_NODE);
	if (claim->n_finished > 0)
		text_addf(out, "by their markers %" PRIu64 " before it are finished; ",
			  claim->n_finished);
	if (claim->certainty == GRAPH_LIKELY && claim->has_checks && claim->n_candidates == 1)
		text_addf(out,
			  "the only one of %" PRIu64 " that can have raised it, unless one of "
			  "culprit's checks did; run without --inspect and --nan to be sure",
			  claim->n_nodes);
	else if (claim->certainty == GRAPH_LIKELY && claim->n_candidates == 1)
		text_addf(out, "the only one of %" PRIu64 " that runs the code that faulted",
			  claim->n_nodes);
	else if (claim->certainty == GRAPH_LIKELY)
		text_addf(out,
			  "the only one of %" PRIu64 " that can have raised it whose arguments fit "
			  "the fault's address",
			  claim->n_candidates);
	else
		text_addf(out, "the only one of %" PRIu64 " that can have raised it",
			  claim->n_nodes);
	page_end(page);
}

void report_add_graph(struct page *page)
{
	const struct graph_claim *claim = &page->report.verdict->graph;
	if (claim->certainty < GRAPH_LIKELY) {
		add_candidates(page, claim);
		return;
	}
	page_begin(page, PAGE_NODE);
	add_node(page, 0, MAX_NODE_FRAMES);
	add_reason(page, claim);
	report_add_node_arguments(page, &page->report.verdict->suspects[0], &claim->candidates[0]);
}

void report_add_graph_headline(struct page *page)
{
	const struct graph_claim *claim = &page->report.verdict->graph;
	struct text *out = &page->text;
	if (claim->certainty == GRAPH_NARROWED) {
		text_addf(out, "; its node is one of %" PRIu64, claim->n_candidates);
	} else if (claim->certainty != GRAPH_UNKNOWN) {
		text_add(out, claim->certainty == GRAPH_LIKELY ? ", likely node " : ", node ");
		report_node_name(&page->report, &claim->candidates[0], true, out);
		add_node_origin(page, &claim->candidates[0], 1);
	}
}
