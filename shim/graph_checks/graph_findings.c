/*
 * graph_findings.c - from answers to records.
 *
 * A check keeps the first odd value of each range, with the replay's number. A value is new in a
 * replay if the check after the kernel has it, and the one before the kernel has not had one yet.
 */
#include "graph_checks/graph_findings.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/graph_findings.h"
#include "graph_checks/checked_exec.h"
#include "record/files/store.h"
#include "record/host/reserve.h"
#include "record/journal/bundle.h"

enum { MAX_REPORTS = 8 }; /* of one graph: replays in which values became odd */

static bool has_last; /* written at the start only, as is the room for rows */
static struct graph_finding_row *rows;
static uint64_t n_written; /* bytes of the file */

void graph_findings_start(bool wanted)
{
	has_last = wanted;
	rows = reserve_memory(GRAPH_FINDING_MAX_ROWS * sizeof(*rows));
}

/* Use one write, so that a reader finds all of a record or knows that it is not there yet. */
static void write_record(const struct graph_finding *head)
{
	struct iovec parts[] = {{(void *)(uintptr_t)head, sizeof(*head)},
				{rows, head->n_rows * sizeof(*rows)}};
	size_t size = parts[0].iov_len + parts[1].iov_len;
	const char *path = bundle_memory_file(GRAPH_FINDINGS_NAME);
	if (!path || n_written + size > GRAPH_FINDINGS_MAX_BYTES ||
	    store_is_over_limit(n_written + size))
		return;
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (writev(fd, parts, 2) == (ssize_t)size)
		n_written += size;
	else
		n_written = GRAPH_FINDINGS_MAX_BYTES; /* a reader stops at the broken one */
	(void)close(fd);
}

static struct graph_finding head_of(const struct checked_exec *checked,
				    enum graph_finding_kind kind, uint32_t replay)
{
	return (struct graph_finding){.magic = GRAPH_FINDINGS_MAGIC,
				      .graph = checked->number,
				      .handle = (uintptr_t)checked->handle,
				      .kind = kind,
				      .replay = replay,
				      .n_replays = checked->n_replays,
				      .stack = checked->stack,
				      .n_checked = checked->graph.n_checked,
				      .is_linear = checked->graph.is_linear};
}

void graph_findings_write_reason(const struct checked_exec *checked)
{
	struct graph_finding head = head_of(checked, GRAPH_FINDING_UNCHECKED, 0);
	strncpy(head.reason, checked->reason, sizeof(head.reason) - 1);
	write_record(&head);
}

static uint32_t run_of(const struct check_slot *slot)
{
	/* Pairs with the kernel's fence before it stores the number. */
	return __atomic_load_n(&slot->answer->run, __ATOMIC_ACQUIRE);
}

/* Return the newest replay that all checks have finished. */
static uint32_t newest_complete(const struct checked_graph *graph)
{
	uint32_t newest = UINT32_MAX;
	for (uint32_t i = 0; i < graph->n_nodes; i++)
		for (int when = 0; graph->nodes[i].has_checks && when < 2; when++) {
			uint32_t run = run_of(&graph->nodes[i].slots[when]);
			newest = run < newest ? run : newest;
		}
	return newest;
}

static uint32_t odd_run(const struct checked_node *node, int when, uint32_t range)
{
	return node->slots[when].answer->first_odd[range].run;
}

/* Return the replay in which the range's value became odd by the kernel; 0: none. */
static uint32_t gained_in(const struct checked_node *node, uint32_t range)
{
	uint32_t before = odd_run(node, 0, range);
	uint32_t after = odd_run(node, 1, range);
	return after && (!before || before > after) ? after : 0;
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

/* True if an argument was odd before the kernel, in that replay or an earlier one. */
static bool has_odd_input(const struct checked_node *node, uint32_t replay)
{
	for (uint32_t i = 0; i < node->list.n; i++) {
		uint32_t run = odd_run(node, 0, i);
		if (run && run <= replay)
			return true;
	}
	return false;
}

static struct check_result copy_result(const volatile struct check_result *result)
{
	struct check_result copy = *result;
	return copy;
}

static struct graph_finding_row row_of(const struct checked_graph *graph,
				       const struct checked_node *node, uint32_t range)
{
	const struct argument_range *pointer = &node->list.pointers[range];
	return (struct graph_finding_row){.node = (uint32_t)(node - graph->nodes),
					  .function = node->function,
					  .stack = node->stack,
					  .parameter = pointer->parameter,
					  .offset = pointer->offset,
					  .address = pointer->address,
					  .bytes = pointer->bytes,
					  .number = pointer->number,
					  .start = pointer->start,
					  .size = pointer->size};
}

static void add_row(struct graph_finding *head, const struct graph_finding_row *row)
{
	if (head->n_rows == GRAPH_FINDING_MAX_ROWS)
		head->is_cut = 1;
	else
		rows[head->n_rows++] = *row;
}

/* Add the arguments that were odd before or after the kernel, if one became so in the replay. */
static void add_node(struct graph_finding *head, const struct checked_graph *graph,
		     const struct checked_node *node)
{
	bool has_gained = false;
	for (uint32_t i = 0; node->has_checks && i < node->list.n; i++)
		has_gained |= gained_in(node, i) == head->replay;
	bool is_made = has_gained && !has_odd_input(node, head->replay);
	for (uint32_t i = 0; has_gained && i < node->list.n; i++) {
		struct graph_finding_row row = row_of(graph, node, i);
		uint32_t before = odd_run(node, 0, i);
		uint32_t after = odd_run(node, 1, i);
		if (before && before <= head->replay)
			row.before = copy_result(&node->slots[0].answer->first_odd[i]);
		if (after && after <= head->replay)
			row.after = copy_result(&node->slots[1].answer->first_odd[i]);
		row.is_made = is_made && after == head->replay;
		if (row.before.run || row.after.run)
			add_row(head, &row);
	}
}

static void write_odd(struct checked_exec *checked, uint32_t newest)
{
	const struct checked_graph *graph = &checked->graph;
	uint32_t replay = 0;
	while (checked->n_reports < MAX_REPORTS &&
	       (replay = next_odd(graph, checked->reported, newest))) {
		struct graph_finding head = head_of(checked, GRAPH_FINDING_ODD, replay);
		for (uint32_t i = 0; i < graph->n_nodes; i++)
			add_node(&head, graph, &graph->nodes[i]);
		write_record(&head);
		checked->reported = replay;
		checked->n_reports++;
	}
}

void graph_findings_write_new(struct checked_exec *checked)
{
	if (checked->graph.instance && rows && checked->n_reports < MAX_REPORTS)
		write_odd(checked, newest_complete(&checked->graph));
}

static void write_newest(const struct checked_exec *checked)
{
	const struct checked_graph *graph = &checked->graph;
	struct graph_finding head =
		head_of(checked, GRAPH_FINDING_LAST, newest_complete(&checked->graph));
	for (uint32_t i = 0; i < graph->n_nodes; i++) {
		const struct checked_node *node = &graph->nodes[i];
		for (uint32_t j = 0; node->has_checks && j < node->list.n; j++) {
			struct graph_finding_row row = row_of(graph, node, j);
			row.before = copy_result(&node->slots[0].answer->newest[j]);
			row.after = copy_result(&node->slots[1].answer->newest[j]);
			add_row(&head, &row);
		}
	}
	write_record(&head);
}

void graph_findings_write_last(struct checked_exec *checked)
{
	if (!checked->graph.instance || !rows || !checked->n_replays)
		return;
	write_odd(checked, UINT32_MAX);
	if (has_last)
		write_newest(checked);
}
