/*
 * report_no_failure.c - write the headline of a bundle without a failure, and the reasons of a
 * hang.
 */
#include "report/report_parts.h"

#include <inttypes.h>
#include <string.h>

#include "attribution/hang_claim.h"
#include "base/time_units.h"
#include "report/last_rejection.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_stack.h"
#include "view/record_walk.h"

enum { MAX_LISTED_STREAMS = 8, MAX_REASONS = 16, MAX_FRAMES = 8 };

/* Append "killed by signal 9": how the process ended, besides its unfinished work. */
static void add_end(const struct report_end *end, struct text *out)
{
	if (end->kind == REPORT_RUNS)
		text_add(out, "the process runs on");
	else if (end->kind == REPORT_KILLED)
		text_addf(out, "killed by signal %d", end->number);
	else if (end->kind == REPORT_GONE)
		text_add(out, "killed, or gone by _exit,");
	else
		text_add(out, "ended");
}

/* Find the newest record of a submission. Returns false if it is lost. */
static bool find_record(const struct bundle_view *view, uint64_t sequence,
			struct journal_record *out)
{
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk)) {
		if (walk.record.kind != RECORD_SUBMISSION || walk.record.sequence != sequence)
			continue;
		*out = walk.record;
		return true;
	}
	return false;
}

/* Append "#1 stray_store at slow.c:14". */
static void add_suspect(struct page *page)
{
	const struct journal_record *record = &page->report.verdict->suspects[0].record;
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	text_addf(&page->text, "#%" PRIu64 " ", record->sequence);
	report_work_name(&page->report, record, true, &page->text);
	text_add(&page->text, " at ");
	report_add_stack(page, record->stack, 1);
}

static void add_count(struct page *page)
{
	text_add(&page->text, " with ");
	text_add_count(&page->text, page->report.verdict->n_unfinished, "submission");
	text_add(&page->text, " unfinished");
}

void report_add_submission(struct page *page, uint64_t sequence, struct journal_record *out)
{
	*out = (struct journal_record){.sequence = sequence};
	text_addf(&page->text, "#%" PRIu64, sequence);
	if (!find_record(page->report.view, sequence, out))
		return;
	text_add(&page->text, " ");
	report_work_name(&page->report, out, true, &page->text);
}

/* Append ": #233 spin, #250 fill had started". */
static void add_started(struct page *page)
{
	const struct hang_claim *hang = page->report.verdict->hang;
	uint32_t n = hang->n < MAX_LISTED_STREAMS ? hang->n : MAX_LISTED_STREAMS;
	struct journal_record record;
	for (uint32_t i = 0; i < n; i++) {
		text_add(&page->text, i ? ", " : ": ");
		report_add_submission(page, hang->rows[i].sequence, &record);
	}
	if (hang->n > n)
		text_addf(&page->text, " and %" PRIu32 " more", hang->n - n);
	text_add(&page->text, " had started");
}

/* Append "1 submission unfinished: #1 stray_store at slow.c:14". */
static void add_unfinished(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	struct text *out = &page->text;
	add_count(page);
	if (verdict->hang) {
		add_started(page);
		return;
	}
	if (!verdict->n_suspects) {
		text_add(out, verdict->n_unfinished == 1
				      ? "; it is not known which"
				      : "; it is not known which of them had started");
		return;
	}
	text_add(out, verdict->n_unfinished == 1 ? ": " : ", only the first can have started: ");
	add_suspect(page);
}

static const struct report_end not_known;

void report_add_no_failure(struct page *page)
{
	const struct report_process *process = page->report.process;
	const struct report_end *end = process ? &process->end : &not_known;
	uint64_t n_unfinished = page->report.verdict->n_unfinished;
	struct text *out = &page->text;
	if (!n_unfinished && end->kind != REPORT_RUNS && !end->is_failure_lost) {
		text_add(out, report_unknown_text(UNKNOWN_NO_FAILURE));
		return;
	}
	if (end->is_failure_lost)
		text_add(out, "the record of the failure is lost; ");
	else if (end->kind == REPORT_RUNS)
		text_add(out, "no call seen by culprit has reported a failure; ");
	else
		text_add(out, "no call seen by culprit reported a failure; ");
	add_end(end, out);
	if (n_unfinished)
		add_unfinished(page);
}

/* Append " while spin ran", or " with 7 submissions unfinished; spin had started". */
static void add_deed(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	struct text *out = &page->text;
	if (verdict->class < VERDICT_LIKELY) {
		add_count(page);
		text_add(out, "; ");
	} else {
		text_add(out, " while ");
	}
	if (verdict->hang->n > 1)
		text_addf(out, "%" PRIu32 " of them", verdict->hang->n);
	else
		report_work_name(&page->report, &verdict->suspects[0].record, true, out);
	text_add(out, verdict->class < VERDICT_LIKELY ? " had started" : " ran");
}

void report_add_process_end(struct page *page)
{
	const struct report_process *process = page->report.process;
	const struct report_end *end = process ? &process->end : &not_known;
	uint64_t n_unfinished = page->report.verdict->n_unfinished;
	if (end->is_failure_lost) {
		text_add(&page->text, "the record of the failure is lost");
		return;
	}
	if (!n_unfinished && end->kind != REPORT_RUNS) {
		text_add(&page->text, report_unknown_text(UNKNOWN_NO_FAILURE));
		return;
	}
	add_end(end, &page->text);
	if (page->report.verdict->hang)
		add_deed(page);
	else if (n_unfinished)
		add_count(page);
}

void report_add_hang(struct page *page)
{
	const struct verdict *verdict = page->report.verdict;
	const struct journal_record *record = &verdict->suspects[0].record;
	page_set_subject(page, PAGE_OF_SUSPECT, 0);
	text_addf(&page->text, "hung — %s: %s #%" PRIu64 ", ", report_verdict_label(verdict->class),
		  report_work_noun(record->work), record->sequence);
	report_work_name(&page->report, record, true, &page->text);
	if (!record->stack)
		return;
	text_add(&page->text, " at ");
	report_add_stack(page, record->stack, 1);
}

void report_add_rejection(struct page *page)
{
	const struct rejection_row *row = page->report.rejection->row;
	bool is_memory = view_rejection_is_memory(page->report.view, row);
	struct text *out = &page->text;
	if (is_memory)
		text_add(out, "out of memory: ");
	else
		report_add_string(&page->report, row->what, &page->text);
	if (!is_memory)
		text_addf(out, " refused (%" PRId32 "): ", row->result);
	report_add_string(&page->report, row->subject, &page->text);
	text_add(out, " at ");
	report_add_stack(page, row->stack, 1);
	if (is_memory)
		return;
	text_add(out, " [");
	report_add_string(&page->report, row->rule, &page->text);
	text_add(out, "]");
}

/* Add each line of the reason, which may be several. */
static void add_reasons(struct page *page, uint32_t id)
{
	size_t left = 0;
	bool is_first = true;
	const char *at = view_string(page->report.view, id, &left);
	for (uint32_t n = 0; left > 0 && n < MAX_REASONS; n++) {
		const char *newline = memchr(at, '\n', left);
		size_t length = newline ? (size_t)(newline - at) : left;
		(is_first ? page_begin : page_below)(page, PAGE_REJECTED);
		report_add_resolved(&page->report, at, length, &page->text);
		page_end(page);
		is_first = false;
		length += newline ? 1 : 0;
		at += length;
		left -= length;
	}
}

void report_add_rejection_lines(struct page *page)
{
	const struct rejection_row *row = page->report.rejection->row;
	page_begin(page, PAGE_SEEN_BY);
	page_set_subject(page, PAGE_OF_STACK, row->stack);
	report_add_string(&page->report, row->call, &page->text);
	text_add(&page->text, " from ");
	report_add_stack(page, row->stack, MAX_FRAMES);
	page_end(page);
	/* The others are listed with all refused calls. */
	if (view_rejection_is_memory(page->report.view, row))
		add_reasons(page, row->why);
}

/* Append "61.2 s". */
static void add_seconds(uint64_t ns, struct text *out)
{
	const uint64_t ns_per_tenth = NS_PER_S / 10;
	text_addf(out, "%" PRIu64 ".%" PRIu64 " s", ns / NS_PER_S, ns % NS_PER_S / ns_per_tenth);
}

/* Append "#238" or "other work". */
static void add_source(const struct hang_stand *stand, struct text *out)
{
	if (stand->source_sequence)
		text_addf(out, "#%" PRIu64, stand->source_sequence);
	else
		text_add(out, "other work");
}

/* Append " waits for an event after #238": what keeps a stream's earliest unfinished submission. */
static void add_reason(const struct hang_stand *stand, bool is_of_end, struct text *out)
{
	switch (stand->kind) {
	case STALL_RUNS:
		text_add(out, !stand->is_proven ? " had started, may have finished"
			      : is_of_end       ? " had started and not finished"
						: " had started");
		break;
	case STALL_EVENT:
		text_add(out, " waited for an event after ");
		add_source(stand, out);
		break;
	case STALL_LEGACY:
		text_add(out, " waited, by the legacy default stream's ordering, for ");
		add_source(stand, out);
		break;
	case STALL_QUEUE:
		text_add(out, " waited for its GPU queue, which had ");
		add_source(stand, out);
		break;
	case STALL_FUNCTION:
		text_add(out, is_of_end ? " is a host function that had not returned"
					: " is a host function that may not have returned");
		break;
	case STALL_VALUE:
		text_add(out, " waited for a value in memory");
		break;
	default:
		text_add(out, " may have started");
		break;
	}
}

/* Append "#239 fill on stream 0x7f1c". */
static void add_stand(struct page *page, const struct hang_stand *stand)
{
	struct journal_record record;
	report_add_submission(page, stand->sequence, &record);
	if (!record.stream)
		return;
	text_add(&page->text, " on ");
	report_stream_label(&page->report, record.stream, &page->text);
}

/* Append "; its stream made no progress for 61.2 s", or when the last snapshot was. */
static void add_duration(const struct hang_claim *hang, struct text *out)
{
	if (!hang->is_of_end) {
		text_add(out, "; its stream made no progress");
		text_add(out, " for ");
		add_seconds(hang->ns, out);
		return;
	}
	text_add(out, " at the last snapshot, ");
	add_seconds(hang->ns, out);
	text_add(out, " after its launch");
	if (!hang->n_later)
		return;
	text_add(out, ", and ");
	text_add_count(out, hang->n_later, "submission");
	text_add(out, " followed");
}

void report_add_hang_evidence(struct page *page)
{
	const struct hang_claim *hang = page->report.verdict->hang;
	uint32_t n = hang->n < MAX_LISTED_STREAMS ? hang->n : MAX_LISTED_STREAMS;
	for (uint32_t i = 0; i < n; i++) {
		(i == 0 ? page_begin : page_below)(page, PAGE_EVIDENCE);
		add_stand(page, &hang->rows[i]);
		add_reason(&hang->rows[i], hang->is_of_end, &page->text);
		if (i == 0)
			add_duration(hang, &page->text);
		page_end(page);
	}
	if (hang->n > n)
		page_add_more(page, PAGE_EVIDENCE, hang->n - n);
}
