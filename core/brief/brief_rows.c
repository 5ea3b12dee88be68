/*
 * brief_rows.c - the rows about the user's code and the cause.
 */
#include "brief/brief_parts.h"

#include <inttypes.h>

#include "attribution/hang_claim.h"
#include "memory/memory_labels.h"
#include "report/last_rejection.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_parts.h"
#include "report/report_python.h"
#include "report/report_stack.h"

enum {
	MAX_FRAMES = 2,
	MAX_PYTHON_FRAMES = 4,
	MAX_SUSPECT_FRAMES = 2,
	MAX_ALSO = 3,
	MAX_NODES = 3,
	MAX_STARTED = 3
};

/* Python's wrappers are many, and their frames short. */
static size_t most_frames(const struct report *report, uint32_t stack)
{
	return report_has_python(report, stack) ? MAX_PYTHON_FRAMES : MAX_FRAMES;
}

static void add_stack(struct page *out, enum page_id id, uint32_t stack, size_t max)
{
	page_begin(out, id);
	page_set_subject(out, PAGE_OF_STACK, stack);
	report_add_stack(out, stack, max);
	page_end(out);
}

/* Append "4" or "(4, 2, 1)". */
static void add_dimensions(const uint32_t *of, struct text *out)
{
	if (of[1] == 1 && of[2] == 1)
		text_addf(out, "%" PRIu32, of[0]);
	else
		text_addf(out, "(%" PRIu32 ", %" PRIu32 ", %" PRIu32 ")", of[0], of[1], of[2]);
}

static void add_shape(const struct journal_record *record, struct text *out)
{
	const struct record_launch *launch = &record->launch;
	text_add(out, "<<<");
	add_dimensions(launch->grid, out);
	text_add(out, ", ");
	add_dimensions(launch->block, out);
	if (launch->shared_bytes)
		text_addf(out, ", %" PRIu32, launch->shared_bytes);
	text_add(out, ">>>");
}

static void add_bytes(const struct journal_record *record, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	if ((record->work == WORK_COPY || record->work == WORK_MEMSET) && record->memory.bytes)
		text_addf(out, " of %s", memory_size_short(record->memory.bytes, size));
}

/* Append where it ran. The handle of another stream would say nothing to a reader. */
static void add_stream(const struct report *report, uint32_t id, struct text *out)
{
	const struct stream_row *stream = view_stream(report->view, id);
	if (stream && stream->kind == STREAM_PER_THREAD)
		text_add(out, " on the per-thread default stream");
	else if (stream && !stream->handle)
		text_add(out, " on the default stream");
}

/* Append ", device 1" if the process used several devices. */
static void add_device(const struct report *report, uint32_t id, struct text *out)
{
	const struct stream_row *stream = view_stream(report->view, id);
	const struct context_row *context =
		stream ? view_context(report->view, stream->context) : NULL;
	if (context && context->device)
		text_addf(out, ", device %" PRIu32, context->device);
}

static void add_submitted(const struct page *full, struct page *out)
{
	const struct report *report = &full->report;
	const struct journal_record *record = &report->verdict->suspects[0].record;
	page_begin(out, PAGE_SUBMITTED);
	page_set_subject(out, PAGE_OF_SUSPECT, 0);
	text_addf(&out->text, "%s #%" PRIu64 ", ", report_work_noun(record->work),
		  record->sequence);
	report_work_name(report, record, true, &out->text);
	if (record->work == WORK_KERNEL)
		add_shape(record, &out->text);
	add_bytes(record, &out->text);
	add_stream(report, record->stream, &out->text);
	add_device(report, record->stream, &out->text);
	page_end(out);
}

/* Copy the differences from earlier launches, in the full page's words. */
static void add_anomaly(const struct page *full, struct page *out)
{
	const struct page_line *line = NULL;
	for (uint32_t i = 0; i < full->n_lines && !line; i++)
		if (full->lines[i].id == PAGE_ANOMALY)
			line = &full->lines[i];
	page_below(out, PAGE_MOST_LIKELY);
	if (line)
		text_add(&out->text, line->text);
	else if (full->report.verdict->lead != LEAD_NONE)
		text_add(&out->text, report_lead_text(full->report.verdict->lead));
	else {
		page_drop(out);
		return;
	}
	page_end(out);
}

static void add_most_likely(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	const struct journal_record *record = &verdict->suspects[0].record;
	page_begin(out, PAGE_MOST_LIKELY);
	page_set_subject(out, PAGE_OF_SUSPECT, 0);
	text_addf(&out->text, "#%" PRIu64 " ", record->sequence);
	report_work_name(&full->report, record, true, &out->text);
	text_add(&out->text, "   ");
	report_add_stack(out, record->stack, MAX_SUSPECT_FRAMES);
	page_end(out);
	add_anomaly(full, out);
}

/* Append "#206" or "3 of #206-#290". */
static void add_numbers(const struct suspect_group *group, struct text *out)
{
	if (group->n == 1)
		text_addf(out, "#%" PRIu64, group->first.record.sequence);
	else
		text_addf(out, "%" PRIu64 " of #%" PRIu64 "-#%" PRIu64, group->n, group->earliest,
			  group->latest);
}

static void add_group(const struct page *full, const struct suspect_group *group, bool is_first,
		      struct page *out)
{
	const struct journal_record *record = &group->first.record;
	(is_first ? page_begin : page_below)(out, PAGE_ALSO);
	add_numbers(group, &out->text);
	text_add(&out->text, " ");
	report_work_name(&full->report, record, true, &out->text);
	text_add(&out->text, "   ");
	report_add_stack(out, record->stack, 1);
	if (group->streams.n > 1)
		text_addf(&out->text, " (%" PRIu32 " streams)", group->streams.n);
	page_end(out);
}

/* The first group's first suspect has a line of its own. */
static void add_also(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	uint64_t n_left = verdict->n_suspects - 1;
	uint32_t n = 0;
	for (uint32_t i = 0; i < verdict->n_groups && n < MAX_ALSO; i++) {
		struct suspect_group group = verdict->groups[i];
		if (i == 0 && group.n == 1)
			continue;
		if (i == 0)
			group.n--;
		add_group(full, &group, n++ == 0, out);
		n_left -= group.n;
	}
	if (n_left)
		page_add_more(out, PAGE_ALSO, n_left);
}

/* Add a row for each of several submissions that had started. */
static void add_started(const struct page *full, struct page *out)
{
	const struct hang_claim *hang = full->report.verdict->hang;
	uint32_t n = hang ? hang->n : 0;
	struct journal_record record;
	for (uint32_t i = 0; i < n && i < MAX_STARTED; i++) {
		(i ? page_below : page_begin)(out, PAGE_STARTED);
		report_add_submission(out, hang->rows[i].sequence, &record);
		if (record.stack) {
			text_add(&out->text, "   ");
			report_add_stack(out, record.stack, MAX_SUSPECT_FRAMES);
		}
		page_end(out);
	}
	if (n > MAX_STARTED)
		page_add_more(out, PAGE_STARTED, n - MAX_STARTED);
}

static bool has_line(const struct page *page, enum page_id id)
{
	for (uint32_t i = 0; i < page->n_lines; i++)
		if (page->lines[i].id == id)
			return true;
	return false;
}

static bool is_on_one_line(const struct report *report)
{
	bool is_kernel = false;
	return report->verdict->n_suspects == 1 ||
	       report_suspects_line(report, &is_kernel) != LINE_NONE;
}

/* Add where the host was, and what had started, if it is known. */
static void add_over(const struct page *full, struct page *out)
{
	struct host_position host;
	if (!has_line(full, PAGE_HOST_AT) || !report_find_host(full->report.view, &host))
		return;
	add_stack(out, PAGE_AT, host.stack, most_frames(&full->report, host.stack));
	page_begin(out, PAGE_SUBMITTED);
	page_set_subject(out, PAGE_OF_STACK, host.stack);
	text_add(&out->text, "the host ");
	report_add_host_deed(&full->report, &host, &out->text);
	page_end(out);
	add_started(full, out);
}

void brief_add_code(const struct page *full, struct page *out)
{
	const struct report *report = &full->report;
	const struct verdict *verdict = report->verdict;
	if (report->rejection) {
		uint32_t stack = report->rejection->row->stack;
		add_stack(out, PAGE_AT, stack, most_frames(report, stack));
		return;
	}
	if (verdict->n_suspects == 0) {
		add_over(full, out);
		return;
	}
	if (is_on_one_line(report)) {
		uint32_t stack = verdict->suspects[0].record.stack;
		add_stack(out, PAGE_AT, stack, most_frames(report, stack));
		add_submitted(full, out);
		return;
	}
	add_most_likely(full, out);
	add_also(full, out);
}

/* Append " (64 MiB, argument 1)" to the name of an allocation. */
static void add_memory(const struct brief_cause *cause, struct text *out)
{
	char size[MEMORY_SIZE_TEXT];
	text_addf(out, " (%s", memory_size_short(cause->range->size, size));
	if (!cause->base.scale && brief_cause_is_base_there(cause))
		text_addf(out, ", argument %" PRIu32, cause->base.index);
	text_add(out, ")");
}

/* Append ", most likely by argument 0 + 4 * argument 1" unless add_memory() names the argument. */
static void add_base(const struct brief_cause *cause, struct text *out)
{
	const struct fault_base *base = &cause->base;
	if (base->fit == 0 || (!base->scale && brief_cause_is_base_there(cause)))
		return;
	text_addf(out, ", most likely by argument %" PRIu32, base->index);
	if (base->scale)
		text_addf(out, " + %" PRIu32 " * argument %" PRIu32, base->scale,
			  base->factor_index);
}

static void add_fault(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	const struct memory_fault *fault = &cause->fault;
	page_begin(out, PAGE_FAULT);
	memory_fault_add_access(fault, &out->text);
	memory_fault_add_place(full->report.view, fault, cause->context, &out->text);
	if (cause->range)
		add_memory(cause, &out->text);
	add_base(cause, &out->text);
	if (fault->has_address && fault->answer.relation == MEMORY_FREED)
		text_add(&out->text, ", freed before the launch");
	page_end(out);
}

/* Without a fault, name the argument that is a likely cause. */
static void add_argument(const struct brief_cause *cause, struct page *out)
{
	const struct argument *argument = cause->argument;
	char size[MEMORY_SIZE_TEXT];
	page_begin(out, PAGE_ARGUMENTS);
	if (cause->operand)
		text_addf(&out->text, "%s: ", cause->operand);
	else
		text_addf(&out->text, "%" PRIu32 ": ", argument->index);
	text_addf(&out->text, "0x%" PRIx64, argument->value);
	if (cause->range)
		text_addf(&out->text, ", in allocation #%" PRIu64 " (%s)", cause->range->number,
			  memory_size_short(cause->range->size, size));
	page_end(out);
}

static bool is_range_freed(const struct brief_cause *cause)
{
	if (cause->argument)
		return cause->range;
	return cause->range && (cause->fault.answer.relation == MEMORY_FREED ||
				cause->fault.answer.relation == MEMORY_IN_FLIGHT);
}

void brief_add_cause(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	if (cause->fault.kind != MEMORY_FAULT_NONE)
		add_fault(full, cause, out);
	else if (cause->argument)
		add_argument(cause, out);
	if (is_range_freed(cause))
		add_stack(out, PAGE_FREED, cause->range->freed_stack, 1);
	if (cause->range)
		add_stack(out, PAGE_ALLOCATED, cause->range->stack, 1);
}

static void add_node(const struct page *full, uint64_t index, struct page *out)
{
	const struct graph_node_row *node = &full->report.verdict->graph.candidates[index];
	(index ? page_below : page_begin)(out, PAGE_CAPTURED);
	page_set_subject(out, PAGE_OF_NODE, index);
	text_addf(&out->text, "node %" PRIu32 ", ", node->index);
	report_node_name(&full->report, node, true, &out->text);
	text_addf(&out->text, ": ");
	if (node->source == GRAPH_NODE_UNSEEN)
		text_add(&out->text, "made unseen");
	else
		report_add_stack(out, node->stack, MAX_SUSPECT_FRAMES);
	page_end(out);
}

void brief_add_nodes(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	const struct graph_claim *graph = &verdict->graph;
	uint64_t n = graph->certainty >= GRAPH_LIKELY ? 1 : graph->n_candidates;
	if (verdict->n_suspects != 1 || verdict->suspects[0].record.work != WORK_GRAPH)
		return;
	for (uint64_t i = 0; i < n && i < MAX_NODES; i++)
		add_node(full, i, out);
	if (n > MAX_NODES)
		page_add_more(out, PAGE_CAPTURED, n - MAX_NODES);
}
