/*
 * brief_reasons.c - the rows about the call that returned the error, and the reasons, in one line.
 */
#include "brief/brief_parts.h"

#include <inttypes.h>
#include <string.h>

#include "attribution/hang_claim.h"
#include "base/time_units.h"
#include "report/last_rejection.h"
#include "report/report_evidence.h"
#include "report/report_labels.h"
#include "report/report_stack.h"

static void add_call(const struct report *report, uint32_t call, struct text *out)
{
	size_t length = 0;
	const char *name = view_string(report->view, call, &length);
	text_add(out, ", by ");
	if (length > 0)
		text_add_foreign(out, name, length);
	else
		text_add(out, "an unknown call");
}

static void add_seen(const struct page *full, struct page *out)
{
	const struct report *report = &full->report;
	const struct verdict *verdict = report->verdict;
	page_begin(out, PAGE_SEEN);
	page_set_subject(out, PAGE_OF_STACK, verdict->failure.stack);
	report_add_stack(out, verdict->failure.stack, 1);
	add_call(report, verdict->failure.call, &out->text);
	if (verdict->n_suspects > 0) {
		const struct journal_record *first = &verdict->suspects[0].record;
		uint64_t n = report_submissions_later(report, first);
		text_addf(&out->text, ", %" PRIu64 " ms", report_ms_later(report, first));
		text_add(&out->text, n ? " and " : "");
		if (n)
			text_add_count(&out->text, n, "submission");
		text_add(&out->text, " later");
	}
	page_end(out);
}

/* Evidence that names a suspect, the strongest first. */
static const enum evidence_kind strongest[] = {
	EVIDENCE_COREDUMP_GRID,  EVIDENCE_COREDUMP_KERNEL,
	EVIDENCE_ONLY_SUSPECT,   EVIDENCE_FAULT_CODE,
	EVIDENCE_DRIVER_STOPPED, EVIDENCE_MARKER_INLINE,
	EVIDENCE_DRIVER_STARTED, EVIDENCE_SYNC,
	EVIDENCE_MARKER,         EVIDENCE_PASSED_WAIT,
	EVIDENCE_CODE,           EVIDENCE_CLASS,
};

/* Return the strongest evidence, about the first suspect's stream if there is a choice. */
static const struct evidence *find_strongest(const struct verdict *verdict)
{
	uint32_t stream = verdict->n_suspects ? verdict->suspects[0].record.stream : 0;
	for (size_t kind = 0; kind < sizeof(strongest) / sizeof(strongest[0]); kind++) {
		for (uint32_t i = 0; i < verdict->n_evidence; i++) {
			const struct evidence *evidence = &verdict->evidence[i];
			if (evidence->kind == strongest[kind] &&
			    (!evidence->stream || evidence->stream == stream))
				return evidence;
		}
	}
	return NULL;
}

static const char weaker[] = "weaker: ";

/* Append the first weakness, in the full report's words, without its prefix. */
static bool add_weakness(const struct page *full, const char *before, struct text *out)
{
	for (uint32_t i = 0; i < full->n_lines; i++) {
		const struct page_line *line = &full->lines[i];
		if (line->id != PAGE_EVIDENCE || strncmp(line->text, weaker, strlen(weaker)) != 0)
			continue;
		text_addf(out, "%s", before);
		text_add(out, line->text + strlen(weaker));
		return true;
	}
	return false;
}

/* The full report's words name the stream by its handle, and how often a counter was right. */
static void add_evidence(const struct page *full, const struct evidence *evidence, struct text *out)
{
	bool has_number = evidence->sequence != 0;
	if (has_number && evidence->kind == EVIDENCE_DRIVER_STOPPED)
		text_addf(out, "its stream had started #%" PRIu64 " and nothing after it",
			  evidence->sequence);
	else if (has_number && evidence->kind == EVIDENCE_DRIVER_STARTED)
		text_addf(out, "its stream had started #%" PRIu64, evidence->sequence);
	else if (has_number &&
		 (evidence->kind == EVIDENCE_MARKER_INLINE || evidence->kind == EVIDENCE_MARKER ||
		  evidence->kind == EVIDENCE_SYNC))
		text_addf(out, "its stream had finished #%" PRIu64, evidence->sequence);
	else
		report_evidence_text(&full->report, evidence, out);
}

static bool add_strongest(const struct page *full, struct text *out)
{
	const struct evidence *evidence = find_strongest(full->report.verdict);
	if (evidence)
		add_evidence(full, evidence, out);
	return evidence;
}

static void add_failure_reason(const struct page *full, const struct brief_cause *cause,
			       struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	bool has_reason = add_strongest(full, &out->text);
	if (has_reason && cause->is_of_suspect && brief_cause_is_base_there(cause))
		text_addf(&out->text, "; the address belongs to argument %" PRIu32,
			  cause->base.index);
	if (verdict->class == VERDICT_EXACT)
		return;
	if (verdict->n_suspects > 1)
		text_addf(&out->text, "%snothing proves which of the %" PRIu64,
			  has_reason ? "; " : "", verdict->n_suspects);
	else
		(void)add_weakness(full, has_reason ? "; but " : "", &out->text);
}

/* Append the reason of a hang, or of a process that was killed, in the full report's words. */
static void add_full_line(const struct page *full, enum page_id id, struct page *out)
{
	for (uint32_t i = 0; i < full->n_lines; i++) {
		if (full->lines[i].id != id)
			continue;
		text_add(&out->text, full->lines[i].text);
		return;
	}
}

/* Append "device 0: 140.4 GiB in all, 20.4 GiB free then" of the full report. */
static void add_device_memory(const struct page *full, struct text *out)
{
	static const char device[] = "device ";
	for (uint32_t i = 0; i < full->n_lines; i++) {
		const char *words = full->lines[i].text;
		if (full->lines[i].id != PAGE_REJECTED ||
		    strncmp(words, device, strlen(device)) != 0)
			continue;
		const char *gap = strstr(words, "  ");
		text_add(out, "; device ");
		words += strlen(device);
		for (; gap && words < gap; words++)
			text_addf(out, "%c", *words);
		text_add(out, gap ? ": " : "");
		text_add(out, words + strspn(words, " "));
		return;
	}
}

static void add_rejection_reason(const struct page *full, struct page *out)
{
	const struct rejection_row *row = full->report.rejection->row;
	bool is_memory = view_rejection_is_memory(full->report.view, row);
	text_add(&out->text, "the driver refused ");
	report_add_string(&full->report, row->call, &out->text);
	if (is_memory)
		add_device_memory(full, &out->text);
	else
		text_addf(&out->text, ", and the process failed after it [%s]",
			  last_rejection_rule(full->report.view, full->report.rejection));
}

static void add_no_reason(const struct page *full, struct page *out)
{
	const struct report_process *process = full->report.process;
	text_add(&out->text, report_unknown_text(UNKNOWN_NO_FAILURE));
	if (process && process->end.kind != REPORT_RUNS && !full->report.verdict->n_suspects)
		text_add(&out->text, ", and no snapshot shows what had started");
}

void brief_add_reasons(const struct page *full, const struct brief_cause *cause, struct page *out)
{
	const struct verdict *verdict = full->report.verdict;
	bool has_failed = verdict->unknown_reason != UNKNOWN_NO_FAILURE;
	if (has_failed && !full->report.rejection)
		add_seen(full, out);
	page_begin(out, PAGE_BECAUSE);
	if (full->report.rejection)
		add_rejection_reason(full, out);
	else if (verdict->hang)
		add_full_line(full, PAGE_EVIDENCE, out);
	else if (has_failed)
		add_failure_reason(full, cause, out);
	else if (verdict->n_unfinished)
		add_no_reason(full, out);
	if (page_offset(out))
		page_end(out);
	else
		page_drop(out);
}
