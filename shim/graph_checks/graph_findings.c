/*
 * graph_findings.c - from answers to rows.
 *
 * A check keeps the first odd value of each range, with the replay's number. A value is new in a
 * replay if the check after the kernel has it, and the one before the kernel has not had one yet.
 */
#include "graph_checks/graph_findings.h"

#include <pthread.h>
#include <stddef.h>

#include "graph_checks/checked_exec.h"
#include "record/host/reserve.h"
#include "record/journal/bundle.h"
#include "record/journal/strings.h"

enum { MAX_REPORTS = 8 }; /* of one graph: replays in which values became odd */

/* Rows that are collected. */
struct finding {
	struct graph_check_row head; /* the members that all rows share */
	uint32_t n_rows;
};

static bool has_last; /* written at the start only, as is the room for rows */
static struct graph_check_row *rows;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_table; /* written by that call */

void graph_findings_start(bool wanted)
{
	has_last = wanted;
	rows = reserve_memory(GRAPH_CHECK_MAX_ROWS * sizeof(*rows));
}

static void open_table(void)
{
	bundle_ensure();
	has_table = !bundle_open_late(JOURNAL_GRAPH_CHECKS);
}

bool graph_findings_prepare(void)
{
	(void)pthread_once(&once, open_table);
	return has_table;
}

/* True if the checks of the graph read a sample of some argument. */
static bool is_sampled(const struct checked_graph *graph)
{
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		for (enum check_when when = BEFORE; graph->nodes[i].has_checks && when < N_WHEN;
		     when++) {
			struct node_bytes bytes =
				node_checks_bytes(&graph->nodes[i], when, &graph->mode);
			if (bytes.n_read < bytes.n_given)
				return true;
		}
	return false;
}

static struct finding finding_of(const struct checked_exec *checked, enum graph_check_kind kind,
				 uint32_t replay)
{
	const struct checked_graph *graph = &checked->graph;
	bool has_infinities = graph->mode.flags & CHECK_INFINITY_IS_ODD;
	return (struct finding){
		.head = {.graph = checked->number,
			 .handle = (uintptr_t)checked->handle,
			 .kind = kind,
			 .flags = (graph->is_linear ? GRAPH_CHECK_IS_LINEAR : 0) |
				  (has_infinities ? GRAPH_CHECK_INFINITIES : 0) |
				  (is_sampled(graph) ? GRAPH_CHECK_IS_SAMPLED : 0),
			 .replay = replay,
			 .n_replays = checked->n_replays,
			 .graph_stack = checked->stack,
			 .n_checked = graph->n_checked},
	};
}

/* Append all rows in one piece. A finding without arguments has one row. */
static void write_finding(struct finding *finding)
{
	if (!finding->n_rows) {
		rows[finding->n_rows++] = finding->head;
		rows[0].flags |= GRAPH_CHECK_IS_EMPTY;
	}
	for (uint32_t i = 0; i < finding->n_rows; i++) {
		rows[i].flags |= finding->head.flags;
		rows[i].n_rows = finding->n_rows;
		rows[i].index = i;
	}
	(void)table_append(bundle_table(JOURNAL_GRAPH_CHECKS), rows, finding->n_rows);
}

void graph_findings_write_reason(const struct checked_exec *checked)
{
	struct finding finding = finding_of(checked, GRAPH_CHECK_NONE, 0);
	finding.head.reason = strings_intern_z(checked->reason);
	if (rows)
		write_finding(&finding);
}

/* Return the newest replay that all checks have finished. */
static uint32_t newest_complete(const struct checked_graph *graph)
{
	uint32_t newest = UINT32_MAX;
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		for (enum check_when when = BEFORE; graph->nodes[i].has_checks && when < N_WHEN;
		     when++) {
			uint32_t run = node_checks_run(&graph->nodes[i], when);
			newest = run < newest ? run : newest;
		}
	return newest;
}

static uint32_t odd_run(const struct checked_node *node, enum check_when when, uint32_t range)
{
	const volatile struct check_result *odd = node_checks_first_odd(node, when, range);
	return odd ? odd->run : 0;
}

/* Return the replay in which the range's value became odd by the kernel; 0: none. */
static uint32_t gained_in(const struct checked_node *node, uint32_t range)
{
	uint32_t before = odd_run(node, BEFORE, range);
	uint32_t after = odd_run(node, AFTER, range);
	return after > node->since && (!before || before > after) ? after : 0;
}

/* Return the first replay after `reported` in which a value became odd; 0: none. */
static uint32_t next_odd(const struct checked_graph *graph, uint32_t reported, uint32_t newest)
{
	uint32_t next = 0;
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		for (uint32_t j = 0; graph->nodes[i].has_checks && j < graph->nodes[i].list.n;
		     j++) {
			uint32_t run = gained_in(&graph->nodes[i], j);
			if (run > reported && run <= newest && (!next || run < next))
				next = run;
		}
	return next;
}

/* All 0 without a result, or with one that is being replaced. */
static struct check_result copy_result(const volatile struct check_result *result)
{
	struct check_result copy = {0};
	if (result)
		copy = *result;
	return copy.run ? copy : (struct check_result){0};
}

/* Add a row for one argument; NULL: a result that is left out. */
static void add_row(struct finding *finding, const struct checked_graph *graph,
		    const struct checked_node *node, uint32_t range,
		    const volatile struct check_result *before,
		    const volatile struct check_result *after)
{
	const struct argument_range *pointer = &node->list.pointers[range];
	if (finding->n_rows == GRAPH_CHECK_MAX_ROWS) {
		finding->head.flags |= GRAPH_CHECK_IS_CUT;
		return;
	}
	struct graph_check_row *row = &rows[finding->n_rows++];
	*row = finding->head;
	struct node_bytes bytes = node_checks_bytes(node, BEFORE, &graph->mode);
	row->kib_read = (uint32_t)(bytes.n_read >> 10);
	row->kib_given = row->kib_read;
	if (bytes.n_read < bytes.n_given)
		row->kib_given = (uint32_t)((bytes.n_given + 1023) >> 10);
	row->node = (uint32_t)(node - graph->nodes);
	row->function = node->function;
	row->stack = node->stack;
	row->parameter = pointer->parameter;
	row->offset = pointer->offset;
	row->address = pointer->address;
	row->bytes = pointer->bytes;
	row->number = pointer->number;
	row->start = pointer->start;
	row->size = pointer->size;
	row->before = copy_result(before);
	row->after = copy_result(after);
}

/* Add the arguments that were odd before or after the kernel, if one became so in the replay. */
static void add_node(struct finding *finding, const struct checked_graph *graph,
		     const struct checked_node *node)
{
	uint32_t replay = finding->head.replay;
	bool has_gained = false;
	for (uint32_t i = 0; node->has_checks && i < node->list.n; i++)
		has_gained |= gained_in(node, i) == replay;
	for (uint32_t i = 0; has_gained && i < node->list.n; i++) {
		uint32_t before = odd_run(node, BEFORE, i);
		uint32_t after = odd_run(node, AFTER, i);
		bool was_odd = before && before <= replay;
		bool is_odd = after && after <= replay;
		if (was_odd || is_odd)
			add_row(finding, graph, node, i,
				was_odd ? node_checks_first_odd(node, BEFORE, i) : NULL,
				is_odd ? node_checks_first_odd(node, AFTER, i) : NULL);
	}
}

static void write_odd(struct checked_exec *checked, uint32_t newest)
{
	const struct checked_graph *graph = &checked->graph;
	uint32_t replay = 0;
	while (checked->n_reports < MAX_REPORTS &&
	       (replay = next_odd(graph, checked->reported, newest))) {
		struct finding finding = finding_of(checked, GRAPH_CHECK_ODD, replay);
		for (uint32_t i = 0; i < graph->n_nodes; i++)
			add_node(&finding, graph, &graph->nodes[i]);
		write_finding(&finding);
		checked->reported = replay;
		checked->n_reports++;
	}
}

void graph_findings_write_new(struct checked_exec *checked)
{
	if (checked->graph.instance && rows && checked->n_reports < MAX_REPORTS)
		write_odd(checked, newest_complete(&checked->graph));
}

/* Write what kernels were given that have not finished: one of them may have failed. */
static void write_unfinished(const struct checked_exec *checked)
{
	const struct checked_graph *graph = &checked->graph;
	struct finding finding = finding_of(checked, GRAPH_CHECK_UNFINISHED, checked->n_replays);
	for (uint32_t i = 0; i < graph->n_nodes; i++) {
		const struct checked_node *node = &graph->nodes[i];
		uint32_t run = node->has_checks ? node_checks_run(node, BEFORE) : 0;
		if (!node->has_checks || node_checks_run(node, AFTER) >= run)
			continue;
		finding.head.replay = run;
		for (uint32_t j = 0; j < node->list.n; j++) {
			const volatile struct check_result *odd =
				node_checks_odd_now(node, BEFORE, j, graph->mode.flags);
			if (odd)
				add_row(&finding, graph, node, j, odd, NULL);
		}
	}
	if (finding.n_rows)
		write_finding(&finding);
}

static void write_newest(const struct checked_exec *checked)
{
	const struct checked_graph *graph = &checked->graph;
	struct finding finding =
		finding_of(checked, GRAPH_CHECK_LAST, newest_complete(&checked->graph));
	for (uint32_t i = 0; i < graph->n_nodes; i++) {
		const struct checked_node *node = &graph->nodes[i];
		for (uint32_t j = 0; node->has_checks && j < node->list.n; j++)
			add_row(&finding, graph, node, j, node_checks_newest(node, BEFORE, j),
				node_checks_newest(node, AFTER, j));
	}
	write_finding(&finding);
}

void graph_findings_write_last(struct checked_exec *checked)
{
	if (!checked->graph.instance || !rows || !checked->n_replays)
		return;
	write_odd(checked, UINT32_MAX);
	write_unfinished(checked);
	if (has_last)
		write_newest(checked);
}
