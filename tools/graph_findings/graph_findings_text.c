/*
 * graph_findings_text.c - read the table, which is untrusted input, and print it.
 */
#include "graph_findings/graph_findings_text.h"

#include <inttypes.h>

#include "base/text.h"
#include "checks/graph_finding.h"
#include "report/report_names.h"
#include "report/report_nan.h"
#include "report/report_stack.h"

enum { BLOCK_SIZE = 16 * 1024 }; /* for the lines of one node */

/* A finding that is printed. */
struct printed {
	const struct report *report;
	const struct graph_check_row *head;
	const struct graph_check_row *origin; /* a row of the first node without a cause; or NULL */
	uint32_t first, n;
};

static const struct graph_check_row *row_at(const struct printed *printed, uint32_t id)
{
	return view_graph_check(printed->report->view, id);
}

/* Append "graph 0x55d3, instantiated at demo.c:100 main: values that appeared in replay 3". */
static void add_head(const struct printed *printed, long pid, struct text *out)
{
	const struct graph_check_row *head = printed->head;
	text_addf(out, "%ld  graph 0x%" PRIx64 ", instantiated at ", pid, head->handle);
	report_stack(printed->report, head->graph_stack, 1, out);
	if (head->kind == GRAPH_CHECK_NONE) {
		size_t length = 0;
		const char *reason = view_string(printed->report->view, head->reason, &length);
		text_add(out, ", is not checked: ");
		text_add_foreign(out, reason, length);
		text_add(out, "\n");
	} else if (head->kind == GRAPH_CHECK_ODD) {
		text_addf(out, ": values that appeared in replay %" PRIu32 "\n", head->replay);
	} else if (head->kind == GRAPH_CHECK_UNFINISHED) {
		text_addf(out, ": kernels that had not finished replay %" PRIu32 "\n",
			  head->replay);
	} else {
		text_addf(out, ": %" PRIu32 " checked kernels in replay %" PRIu32 ", the last\n",
			  head->n_checked, head->replay);
	}
}

static void add_node(const struct printed *printed, const struct graph_check_row *row,
		     struct text *out)
{
	const struct graph_node_row node = {.work = WORK_KERNEL, .function = row->function};
	text_addf(out, "  node %" PRIu32 "  ", row->node);
	report_node_name(printed->report, &node, true, out);
	text_add(out, "  ");
	report_stack(printed->report, row->stack, 1, out);
	text_add(out, "\n");
}

/* Append "    argument 1 + 8: 0x7f1c0000=#4+0, first 1024 x f32?". */
static void add_place(const struct graph_check_row *row, struct text *out)
{
	const struct check_result *result = row->after.run ? &row->after : &row->before;
	bool is_part = row->bytes < row->size - (row->address - row->start);
	text_add(out, "    ");
	report_nan_argument(row->parameter, row->offset, out);
	text_addf(out, ": 0x%" PRIx64 "=#%" PRIu64 "+%" PRIu64 ", %s%" PRIu64 " x %s%s\n",
		  row->address, row->number, row->address - row->start, is_part ? "first " : "",
		  result->n, report_nan_type(result->type),
		  result->flags & CHECK_TYPE_WAS_GUESSED ? "?" : "");
}

static void add_odd(const struct check_result *result, struct text *out)
{
	if (result->n_nan)
		text_addf(out, ", %" PRIu64 " NaN, the first at [%" PRIu64 "]", result->n_nan,
			  result->first_nan);
	if (result->n_infinite)
		text_addf(out, ", %" PRIu64 " infinite, the first at [%" PRIu64 "]",
			  result->n_infinite, result->first_infinite);
}

static void add_result(const char *when, const struct check_result *result, uint32_t replay,
		       struct text *out)
{
	uint64_t n_finite = result->n - result->n_nan - result->n_infinite;
	if (!result->run)
		return;
	text_addf(out, "      %s", when);
	if (n_finite && n_finite <= result->n)
		text_addf(out, "min %g, max %g, mean %g", result->min, result->max,
			  result->sum / (double)n_finite);
	else
		text_add(out, "no finite value");
	add_odd(result, out);
	if (result->run < replay)
		text_addf(out, ", since replay %" PRIu32, result->run);
	text_add(out, "\n");
}

/*
 * A node without a cause after the first one may have read the values through memory that is not
 * checked: for example, through a descriptor (TMA), not a pointer.
 */
static void add_conclusion(const struct printed *printed, const struct graph_check_row *row,
			   const struct graph_check_row *cause, struct text *out)
{
	bool is_sampled = graph_finding_is_sampled(row);
	const struct graph_check_row *head = printed->head;
	text_add(out, "    => ");
	if (cause) {
		/* It may have been written anew since. */
		text_add(out, cause->before.run < head->replay ? "possibly passed on from "
							       : "passed on from ");
		report_nan_argument(cause->parameter, cause->offset, out);
	} else if (printed->origin) {
		text_addf(out, "probably passed on from node %" PRIu32, printed->origin->node);
		text_add(out, ": none of the checked arguments had any before");
	} else {
		text_add(out, is_sampled ? "probably made here" : "made here");
		text_add(out, ": none of the checked arguments had any before");
	}
	if (!cause && is_sampled)
		report_nan_sample(row, out);
	if (!cause && !printed->origin && !(head->flags & GRAPH_CHECK_IS_LINEAR))
		text_add(out, ", unless a node on another branch wrote there meanwhile");
	text_add(out, "\n");
}

/* Append the lines about the node that has these rows. */
static void add_rows(struct printed *printed, uint32_t first, uint32_t n, struct text *out)
{
	uint32_t replay = printed->head->replay;
	const struct graph_check_row *cause =
		row_at(printed, graph_finding_cause(printed->report->view, first, n));
	add_node(printed, row_at(printed, first), out);
	for (uint32_t id = first; id < first + n; id++) {
		const struct graph_check_row *row = row_at(printed, id);
		add_place(row, out);
		add_result("before  ", &row->before, replay, out);
		add_result("after   ", &row->after, replay, out);
	}
	if (printed->head->kind == GRAPH_CHECK_ODD)
		add_conclusion(printed, row_at(printed, first), cause, out);
	if (!cause && !printed->origin)
		printed->origin = row_at(printed, first);
}

static void write_text(const struct text *text, const char *block, FILE *out)
{
	fwrite(block, 1, (size_t)(text->at - block), out);
	if (text->cut)
		fputs("\n", out);
}

/* Print the finding node by node. */
static void print_finding(struct printed *printed, long pid, FILE *out)
{
	static char block[BLOCK_SIZE]; /* used by one thread only */
	const struct graph_check_row *head = printed->head;
	struct text text = text_in(block, sizeof(block));
	add_head(printed, pid, &text);
	write_text(&text, block, out);
	uint32_t n_left = head->flags & GRAPH_CHECK_IS_EMPTY ? 0 : printed->n;
	for (uint32_t id = printed->first; n_left;) {
		uint32_t n = graph_finding_node(printed->report->view, id, n_left);
		text = text_in(block, sizeof(block));
		add_rows(printed, id, n, &text);
		write_text(&text, block, out);
		id += n;
		n_left -= n;
	}
	if (head->flags & GRAPH_CHECK_IS_CUT)
		fputs("  more arguments are left out\n", out);
}

void graph_findings_print(struct graph_findings_reader *reader, FILE *out)
{
	const struct bundle_view *view = reader->report->view;
	uint64_t n_rows = view->tables[JOURNAL_GRAPH_CHECKS].n_rows;
	while (reader->n_printed < n_rows && reader->n_printed < UINT32_MAX) {
		uint32_t first = (uint32_t)reader->n_printed + 1;
		struct printed printed = {.report = reader->report,
					  .head = view_graph_check(view, first),
					  .first = first,
					  .n = graph_finding_count(view, first)};
		print_finding(&printed, reader->pid, out);
		reader->n_printed += printed.n;
	}
}
