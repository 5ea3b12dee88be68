/*
 * brief_title.c - the first line of a short report.
 */
#include "brief/brief_parts.h"

#include <inttypes.h>
#include <string.h>

#include "attribution/hang_claim.h"
#include "base/failure_class.h"
#include "report/last_rejection.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_parts.h"

static void add_one(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	const struct journal_record *record = &verdict->suspects[0].record;
	const struct graph_claim *graph = &verdict->graph;
	bool has_node = record->work == WORK_GRAPH && graph->certainty >= GRAPH_LIKELY;
	if (has_node) {
		report_node_name(&full->report, &graph->candidates[0], true, &out->text);
	} else if (record->work == WORK_GRAPH) {
		text_addf(&out->text, "a node of a graph, replay %" PRIu64, record->graph.replay);
	} else {
		if (record->work != WORK_KERNEL)
			text_addf(&out->text, "%s by ", report_work_noun(record->work));
		report_work_name(&full->report, record, true, &out->text);
	}
	brief_cause_add_deed(full, cause, &out->text);
	if (has_node)
		text_add(&out->text, ", in a graph");
}

/* Append "one of 6 launches", with the kernel if it is the same one. */
static void add_several(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	bool is_kernel = false;
	bool is_line = report_suspects_line(&full->report, &is_kernel) != LINE_NONE;
	text_add(&out->text, "one of ");
	text_add_count(&out->text, verdict->n_suspects,
		       report_are_all_kernels(verdict) ? "launch" : "submission");
	if (is_line && is_kernel) {
		text_add(&out->text, " of ");
		report_work_name(&full->report, &verdict->suspects[0].record, true, &out->text);
	}
}

static void add_failure(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	const char *words = failure_text(verdict->failure.code);
	text_addf(&out->text, "error[%" PRId32 "]: ", verdict->failure.code);
	if (words)
		text_add(&out->text, words);
	else
		report_failure_name(&full->report, &out->text);
	text_add(&out->text, ": ");
	if (verdict->class == VERDICT_UNKNOWN)
		text_add(&out->text, report_unknown_text(verdict->unknown_reason));
	else if (verdict->n_suspects == 1)
		add_one(full, cause, out);
	else
		add_several(full, out);
	if (verdict->has_unseen)
		text_add(&out->text, ", or work that culprit did not see");
}

static void add_hang(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	text_add(&out->text, "error[hang]: no progress: ");
	report_work_name(&full->report, &verdict->suspects[0].record, true, &out->text);
}

static void add_rejection(const struct page *full, struct page *out)
{
	const struct rejection_row *row = full->report.rejection->row;
	bool is_memory = view_rejection_is_memory(full->report.view, row);
	text_addf(&out->text, "error[%" PRId32 "]: ", row->result);
	if (!is_memory) {
		report_add_string(&full->report, row->what, &out->text);
		text_add(&out->text, " refused: ");
	} else {
		text_add(&out->text, "out of memory: ");
	}
	report_add_string(&full->report, row->subject, &out->text);
	if (is_memory)
		return;
	text_add(&out->text, ": ");
	report_add_string(&full->report, row->why, &out->text);
}

static bool is_hang(const struct verdict *verdict)
{
	return verdict->hang && !verdict->hang->is_of_end;
}

static bool is_finding(const struct page *full)
{
	return full->report.process && full->report.process->end.is_finding;
}

static void add_end(const struct page *full, struct page *out)
{
	text_add(&out->text, is_finding(full) ? "error[unfinished]: " : "");
	report_add_process_end(out);
}

static void add_certainty(const struct page *full, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	const struct graph_claim *graph = &verdict->graph;
	page_begin(out, PAGE_CERTAINTY);
	if (full->report.rejection) {
		text_add(&out->text, "refused");
	} else if (verdict->unknown_reason == UNKNOWN_NO_FAILURE && !is_hang(verdict) &&
		   !is_finding(full)) {
		text_add(&out->text, "no failure seen");
	} else if (verdict->class == VERDICT_EXACT && verdict->n_suspects == 1 &&
		   verdict->suspects[0].record.work == WORK_GRAPH &&
		   graph->certainty < GRAPH_EXACT) {
		text_add(&out->text, "exact launch; node is ");
		if (graph->certainty == GRAPH_NARROWED)
			text_addf(&out->text, "one of %" PRIu64, graph->n_candidates);
		else
			text_add(&out->text, report_graph_certainty(graph->certainty));
	} else {
		text_add(&out->text, report_verdict_label(verdict->class));
	}
	page_end(out);
}

/* Add "CUDA_ERROR_ILLEGAL_ADDRESS, pid 415, rank 3". */
static void add_error(const struct page *full, struct page *out)
{
	const struct report *report = &full->report;
	const struct report_process *process = report->process;
	bool has_code = !report->rejection && report->verdict->unknown_reason != UNKNOWN_NO_FAILURE;
	page_begin(out, PAGE_ERROR);
	if (has_code)
		report_failure_name(report, &out->text);
	if (process && process->pid > 0)
		text_addf(&out->text, "%spid %ld", has_code ? ", " : "", process->pid);
	if (process && process->pid > 0 && process->rank && *process->rank) {
		text_add(&out->text, ", rank ");
		text_add_foreign(&out->text, process->rank, strlen(process->rank));
	}
	if (page_offset(out))
		page_end(out);
	else
		page_drop(out);
}

void brief_add_title(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	page_begin(out, PAGE_TITLE);
	if (full->report.rejection)
		add_rejection(full, out);
	else if (is_hang(verdict))
		add_hang(full, out);
	else if (verdict->unknown_reason == UNKNOWN_NO_FAILURE)
		add_end(full, out);
	else
		add_failure(full, cause, out);
	page_end(out);
	add_certainty(full, out);
	add_error(full, out);
}
