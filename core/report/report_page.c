/*
 * report_page.c - fills a page, in the order of a report's lines.
 */
#include "report/report_page.h"

#include <inttypes.h>
#include <string.h>

#include "attribution/hang_claim.h"
#include "report/report_advice.h"
#include "report/report_evidence.h"
#include "report/report_fault.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_nan.h"
#include "report/report_parts.h"
#include "report/report_python.h"
#include "report/report_stack.h"

enum { MAX_LISTED_EVIDENCE = 16, MAX_LISTED_STREAMS = 8 };

static void add_suspect_name(struct page *page, const struct journal_record *record)
{
	text_addf(&page->text, "%s #%" PRIu64 ", ", report_work_noun(record->work),
		  record->sequence);
	report_work_name(&page->report, record, true, &page->text);
	/* People look for this location in their own exception. */
	(void)report_add_python_location(page, " at ", record->stack);
}

/* Append ", all of scatter at train.py:6", which matters more than which of them failed. */
static void add_shared_line(struct page *page, bool is_kernel)
{
	const struct journal_record *first = &page->report.verdict->suspects[0].record;
	text_add(&page->text, ", all");
	if (is_kernel) {
		text_add(&page->text, " of ");
		report_work_name(&page->report, first, true, &page->text);
	}
	(void)report_add_python_location(page, " at ", first->stack);
}

static void add_narrowed(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	const struct journal_record *first = &verdict->suspects[0].record;
	struct text *out = &page->text;
	bool is_kernel = false;
	enum line_certainty line = report_suspects_line(&page->report, &is_kernel);
	if (verdict->n_suspects == 1) {
		text_add(out, verdict->has_unseen ? "" : "most likely ");
		add_suspect_name(page, first);
		text_add(out, verdict->has_unseen ? "" : ", but not all work is known");
		return;
	}
	if (line != LINE_EXACT)
		text_add(out, "one of ");
	text_add_count(out, verdict->n_suspects,
		       report_are_all_kernels(verdict) ? "launch" : "submission");
	if (line != LINE_NONE) {
		add_shared_line(page, is_kernel);
		return;
	}
	report_add_groups(page);
}

static void add_claim(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	if (verdict->class == VERDICT_UNKNOWN) {
		text_add(&page->text, report_unknown_text(verdict->unknown_reason));
		return;
	}
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	if (verdict->class == VERDICT_NARROWED) {
		add_narrowed(page);
		text_add(&page->text,
			 verdict->has_unseen ? ", or work that culprit did not see" : "");
		return;
	}
	add_suspect_name(page, &verdict->suspects[0].record);
	report_add_graph_headline(page);
}

/* Append " [pid 415, rank 3]", which identifies this line among the many of a job. */
static void add_owner(struct page *page)
{
	const struct report_process *process = page->report.process;
	if (!process || process->pid <= 0)
		return;
	text_addf(&page->text, " [pid %ld", process->pid);
	if (process->rank && *process->rank) {
		text_add(&page->text, ", rank ");
		text_add_foreign(&page->text, process->rank, strlen(process->rank));
	}
	text_add(&page->text, "]");
}

static void add_headline(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	page_begin(page, PAGE_HEADLINE);
	text_add(&page->text, "culprit: ");
	if (page->report.rejection) {
		report_add_rejection(page);
	} else if (verdict->hang && !verdict->hang->is_of_end) {
		report_add_hang(page);
	} else if (verdict->unknown_reason == UNKNOWN_NO_FAILURE) {
		report_add_no_failure(page);
	} else {
		report_failure_name(&page->report, &page->text);
		text_addf(&page->text, " (%" PRId32 ") — %s: ", verdict->failure.code,
			  report_verdict_label(verdict->class));
		add_claim(page);
	}
	add_owner(page);
	page_end(page);
}

static void add_observer(struct page *page)
{
	const struct report *report = &page->report;
	const struct verdict *verdict = report->verdict;
	struct text *out = &page->text;
	size_t length = 0;
	const char *call = view_string(report->view, verdict->failure.call, &length);
	page_begin(page, PAGE_SEEN_BY);
	page_set_subject(page, PAGE_OF_STACK, verdict->failure.stack);
	text_add_foreign(out, length > 0 ? call : "an unknown call", length > 0 ? length : 15);
	text_add(out, " from ");
	report_add_stack(page, verdict->failure.stack, 1);
	if (verdict->n_suspects > 0) {
		const struct journal_record *first = &verdict->suspects[0].record;
		text_add(out, ", ");
		text_add_count(out, report_submissions_later(report, first), "submission");
		text_addf(out, " and %" PRIu64 " ms later", report_ms_later(report, first));
	}
	page_end(page);
}

static void add_evidence(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	uint32_t n = verdict->n_evidence < MAX_LISTED_EVIDENCE ? verdict->n_evidence
							       : MAX_LISTED_EVIDENCE;
	for (uint32_t i = 0; i < n; i++) {
		(i == 0 ? page_begin : page_below)(page, PAGE_EVIDENCE);
		page_set_subject(page, PAGE_OF_EVIDENCE, i);
		report_evidence_text(&page->report, &verdict->evidence[i], &page->text);
		page_end(page);
	}
	if (verdict->n_evidence > n)
		page_add_more(page, PAGE_EVIDENCE, verdict->n_evidence - n);
}

/* Append "#71-#80", or "3 of #71-#90" if work of other streams has numbers in between. */
static void add_span(const struct submission_span *span, struct text *out)
{
	if (span->n == 1)
		text_addf(out, "#%" PRIu64, span->first);
	else if (span->last - span->first == span->n - 1)
		text_addf(out, "#%" PRIu64 "-#%" PRIu64, span->first, span->last);
	else
		text_addf(out, "%" PRIu64 " of #%" PRIu64 "-#%" PRIu64, span->n, span->first,
			  span->last);
}

static void add_done(const struct report *report, const struct stream_state *state,
		     struct text *out)
{
	const struct stream_row *row = view_stream(report->view, state->stream);
	uint64_t before = row ? view_live(&row->before) : 0;
	if (state->done_sequence != 0 && state->done > before)
		text_addf(out, "#%" PRIu64 " done", state->done_sequence);
	else if (state->done > before)
		text_addf(out, "%" PRIu64 " done", state->done - before);
	else
		text_add(out, "none known done");
}

/* Append the work that may have run: the culprit by name, the rest by numbers. */
static void add_started(const struct report *report, const struct stream_state *state,
			struct text *out)
{
	const struct verdict *verdict = report->verdict;
	bool is_named = verdict->class >= VERDICT_LIKELY && state->n_suspects > 0;
	if (is_named)
		text_addf(out, ", >>#%" PRIu64 " %s<<", verdict->suspects[0].record.sequence,
			  verdict->hang && verdict->hang->is_of_end ? "had started" : "culprit");
	if (is_named && state->started.n > 1)
		text_addf(out, ", %" PRIu64 " others may have run", state->started.n - 1);
	if (is_named || state->started.n == 0)
		return;
	text_add(out, ", ");
	add_span(&state->started, out);
	text_add(out, state->n_suspects > 0 && verdict->unknown_reason != UNKNOWN_NO_FAILURE
			      ? " suspect"
			      : " may have run");
}

static void add_stream(const struct report *report, const struct stream_state *state,
		       struct text *out)
{
	report_stream_label(report, state->stream, out);
	text_add(out, ": ");
	add_done(report, state, out);
	add_started(report, state, out);
	if (state->waiting.n > 0) {
		text_add(out, ", ");
		add_span(&state->waiting, out);
		text_add(out, " not started");
	}
	if (state->is_blocked)
		text_add(out, ", waits for another stream");
	if (state->n_lost > 0)
		text_addf(out, ", %" PRIu64 " not in the journal", state->n_lost);
}

static void add_streams(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	uint32_t n =
		verdict->n_streams < MAX_LISTED_STREAMS ? verdict->n_streams : MAX_LISTED_STREAMS;
	uint64_t n_more = verdict->n_streams - n + verdict->n_streams_unlisted;
	for (uint32_t i = 0; i < n; i++) {
		(i == 0 ? page_begin : page_below)(page, PAGE_IN_FLIGHT);
		page_set_subject(page, PAGE_OF_STREAM, i);
		add_stream(&page->report, &verdict->streams[i], &page->text);
		page_end(page);
	}
	if (n_more > 0) {
		page_below(page, PAGE_IN_FLIGHT);
		page_set_subject(page, PAGE_OF_MORE, n_more);
		text_add(&page->text, "and ");
		text_add_count(&page->text, n_more, "more stream");
		page_end(page);
	}
}

/* Add a line about stacks, only if the self-check found differences. */
static void add_stack_check(struct page *page)
{
	const struct stack_check_row *check = view_stack_check(page->report.view);
	uint64_t n_full = check ? view_live(&check->n_unlike_full) : 0;
	uint64_t n_other = check ? view_live(&check->n_unlike_other) : 0;
	if (!n_full && !n_other)
		return;
	page_begin(page, PAGE_STACKS);
	text_addf(&page->text,
		  "self-check: of %" PRIu64 ", %" PRIu64 " differ from a full walk and %" PRIu64
		  " from the C library's unwinder",
		  view_live(&check->n_checks), n_full, n_other);
	page_end(page);
}

/* Add what did not fit in the journal, which the lines above may lack. */
static void add_no_room(struct page *page)
{
	const char *before = "for ";
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		uint64_t n = page->report.view->tables[kind].lost;
		if (n == 0)
			continue;
		if (*before == 'f')
			page_begin(page, PAGE_NO_ROOM);
		text_add(&page->text, before);
		text_add_count(&page->text, n, report_row_noun((enum journal_file)kind));
		before = ", ";
	}
	if (*before == ',')
		page_end(page);
}

static void add_hardware(struct page *page)
{
	const struct report_hardware *hardware = page->report.hardware;
	for (uint32_t i = 0; hardware && i < hardware->n_lines; i++) {
		(i == 0 ? page_begin : page_below)(page, PAGE_HARDWARE);
		text_add_foreign(&page->text, hardware->lines[i], strlen(hardware->lines[i]));
		page_end(page);
	}
}

static void add_advice(struct page *page)
{
	const struct report_process *process = page->report.process;
	struct advice advice;
	report_advice(page->report.verdict, &advice);
	if (advice.n == 0)
		return;
	page_begin(page, PAGE_NEXT);
	report_advice_text(&advice, process && process->is_of_run, &page->text);
	page_end(page);
}

static void add_process(struct page *page)
{
	const struct report_process *process = page->report.process;
	for (uint32_t i = 0; process && i < process->n_lines; i++) {
		(i == 0 ? page_begin : page_below)(page, PAGE_PROCESS);
		text_add_foreign(&page->text, process->lines[i], strlen(process->lines[i]));
		page_end(page);
	}
}

static void add_afterwards(struct page *page, const struct failure_row *failure)
{
	bool is_followed = failure->flags & FAILURE_FOLLOWED;
	if (failure->n_cleanups > 0) {
		page_begin(page, PAGE_AFTERWARDS);
		text_add_count(&page->text, failure->n_cleanups, "cleanup call");
		text_add(&page->text, " made harmless");
		page_end(page);
	}
	if (is_followed) {
		(failure->n_cleanups > 0 ? page_below : page_begin)(page, PAGE_AFTERWARDS);
		text_add(&page->text,
			 "another context failed later; that failure is not attributed");
		page_end(page);
	}
}

static void add_rest(struct page *page)
{
	const struct report *report = &page->report;
	add_afterwards(page, &report->verdict->failure);
	report_add_rejections(page);
	report_add_nan(page);
	add_stack_check(page);
	add_no_room(page);
	add_hardware(page);
	add_advice(page);
	add_process(page);
	if (report->bundle_path) {
		page_begin(page, PAGE_BUNDLE);
		text_add_foreign(&page->text, report->bundle_path, strlen(report->bundle_path));
		page_end(page);
	}
	report_add_step(page);
}

/* True for a process that ended by itself or was killed, not one whose hang was seen. */
static bool has_ended(const struct report *report)
{
	const struct hang_claim *hang = report->verdict->hang;
	return report->process && report->process->end.kind != REPORT_RUNS &&
	       (!hang || hang->is_of_end);
}

void report_page(const struct report *report, struct page *out)
{
	const struct verdict *verdict = report->verdict;
	page_clear(report, out);
	add_headline(out);
	if (report->rejection)
		report_add_rejection_lines(out);
	if (verdict->unknown_reason != UNKNOWN_NO_FAILURE) {
		if (verdict->n_suspects > 0)
			report_add_suspect(out);
		else
			report_add_fault(out, NULL);
		if (verdict->n_suspects > 0 && verdict->suspects[0].record.work == WORK_GRAPH)
			report_add_graph(out);
		report_add_suspect_list(out);
		add_observer(out);
		add_evidence(out);
		add_streams(out);
	} else if (verdict->n_unfinished > 0) {
		if (verdict->n_suspects > 0)
			report_add_suspect(out);
		if (verdict->hang)
			report_add_hang_evidence(out);
		if (has_ended(report))
			report_add_host(out);
		add_streams(out);
	}
	add_rest(out);
}
