/*
 * report_text.c - lays a report out as text. What is said, and in which words, is report.c's; here
 * is only the order of the lines and how long they may get.
 */
#include "report_text.h"

#include <inttypes.h>
#include <string.h>

#include "report_lines.h"
#include "report_stack.h"

enum { LABEL_WIDTH = 16, MAX_LISTED_EVIDENCE = 16, MAX_LISTED_STREAMS = 8, MAX_PLACE = 128 };

void begin_line(struct text *out, const char *label)
{
	const char *start;

	text_add(out, "  ");
	start = out->at;
	text_add(out, label);
	text_pad(out, start, LABEL_WIDTH);
}

void end_line(struct text *out)
{
	text_add(out, "\n");
}

static const char *noun_of(uint8_t work)
{
	static const char *const nouns[] = {
		[WORK_KERNEL] = "launch",
		[WORK_GRAPH] = "graph launch",
		[WORK_COPY] = "copy",
		[WORK_MEMSET] = "memset",
		[WORK_MEMOP] = "stream operation",
		[WORK_HOST_FUNC] = "host function",
	};

	return work >= WORK_KERNEL && work <= WORK_HOST_FUNC ? nouns[work] : "submission";
}

/* " at train.py:14", which is what people look for in their own exception. */
static void add_place(const struct report *report, const struct journal_record *record,
		      struct text *out)
{
	char place[MAX_PLACE];
	struct text text = text_in(place, sizeof(place));

	if (!report_python_place(report, record->stack, &text) || text.cut)
		return;
	text_add(out, " at ");
	text_add(out, place);
}

static void add_suspect_name(const struct report *report, const struct journal_record *record,
			     struct text *out)
{
	text_addf(out, "%s #%" PRIu64 ", ", noun_of(record->work), record->sequence);
	report_work_name(report, record, true, out);
	add_place(report, record, out);
}

/* "launches" only if every suspect is known to be one. */
static bool are_all_kernels(const struct verdict *verdict)
{
	if (verdict->n_suspects > VERDICT_MAX_SUSPECTS)
		return false;
	for (uint64_t i = 0; i < verdict->n_suspects; i++) {
		if (verdict->suspects[i].record.work != WORK_KERNEL)
			return false;
	}
	return true;
}

static void add_narrowed(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	const struct journal_record *first = &verdict->suspects[0].record;

	if (verdict->n_suspects == 1) {
		text_add(out, "most likely ");
		add_suspect_name(report, first, out);
		text_add(out, ", but not all work is known");
		return;
	}
	text_add(out, "one of ");
	report_count(out, verdict->n_suspects, are_all_kernels(verdict) ? "launch" : "submission");
	text_addf(out, ", most likely #%" PRIu64 " ", first->sequence);
	report_work_name(report, first, true, out);
	add_place(report, first, out);
}

void report_headline(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;

	text_add(out, "culprit: ");
	if (verdict->unknown_reason == UNKNOWN_NO_FAILURE) {
		text_add(out, report_unknown_text(verdict->unknown_reason));
		return;
	}
	report_failure_name(report, out);
	text_addf(out, " (%" PRId32 ") — %s: ", verdict->failure.code,
		  report_verdict_word(verdict->class));
	if (verdict->class == VERDICT_UNKNOWN)
		text_add(out, report_unknown_text(verdict->unknown_reason));
	else if (verdict->class == VERDICT_NARROWED)
		add_narrowed(report, out);
	else
		add_suspect_name(report, &verdict->suspects[0].record, out);
	if (verdict->class >= VERDICT_LIKELY)
		add_graph_headline(report, out);
}

static void add_observer(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	size_t length;
	const char *call = view_string(report->view, verdict->failure.call, &length);

	begin_line(out, "seen by");
	text_add_foreign(out, length > 0 ? call : "an unknown call", length > 0 ? length : 15);
	text_add(out, " from ");
	report_stack(report, verdict->failure.stack, 1, out);
	if (verdict->n_suspects > 0) {
		const struct journal_record *first = &verdict->suspects[0].record;

		text_add(out, ", ");
		report_count(out, report_submissions_later(report, first), "submission");
		text_addf(out, " and %" PRIu64 " ms later", report_ms_later(report, first));
	}
	end_line(out);
}

static void add_evidence(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	uint32_t n = verdict->n_evidence < MAX_LISTED_EVIDENCE ? verdict->n_evidence
							       : MAX_LISTED_EVIDENCE;

	for (uint32_t i = 0; i < n; i++) {
		begin_line(out, i == 0 ? "evidence" : "");
		report_evidence_text(report, &verdict->evidence[i], out);
		end_line(out);
	}
	if (verdict->n_evidence > n) {
		begin_line(out, "");
		text_addf(out, "and %" PRIu32 " more\n", verdict->n_evidence - n);
	}
}

/* "#71-#80", or "3 of #71-#90" where other streams' work has numbers between. */
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

/* Work that may have run: the culprit by name, the rest by numbers. */
static void add_started(const struct report *report, const struct stream_state *state,
			struct text *out)
{
	const struct verdict *verdict = report->verdict;
	bool is_named = verdict->class >= VERDICT_LIKELY && state->n_suspects > 0;

	if (is_named)
		text_addf(out, ", >>#%" PRIu64 " culprit<<", verdict->suspects[0].record.sequence);
	if (is_named && state->started.n > 1)
		text_addf(out, ", %" PRIu64 " others may have run", state->started.n - 1);
	if (is_named || state->started.n == 0)
		return;
	text_add(out, ", ");
	add_span(&state->started, out);
	text_add(out, state->n_suspects > 0 ? " suspect" : " may have run");
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

static void add_streams(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	uint32_t n =
		verdict->n_streams < MAX_LISTED_STREAMS ? verdict->n_streams : MAX_LISTED_STREAMS;
	uint64_t n_more = verdict->n_streams - n + verdict->n_streams_unlisted;

	for (uint32_t i = 0; i < n; i++) {
		begin_line(out, i == 0 ? "in flight" : "");
		add_stream(report, &verdict->streams[i], out);
		end_line(out);
	}
	if (n_more > 0) {
		begin_line(out, "");
		text_add(out, "and ");
		report_count(out, n_more, "more stream");
		end_line(out);
	}
}

/* Only where they are not to be trusted. */
static void add_stack_check(const struct report *report, struct text *out)
{
	const struct stack_check_row *check = view_stack_check(report->view);
	uint64_t n_full = check ? view_live(&check->n_unlike_full) : 0;
	uint64_t n_other = check ? view_live(&check->n_unlike_other) : 0;

	if (!n_full && !n_other)
		return;
	begin_line(out, "stacks");
	text_addf(out,
		  "self-check: of %" PRIu64 ", %" PRIu64 " differ from a full walk and %" PRIu64
		  " from the C library's unwinder\n",
		  view_live(&check->n_checks), n_full, n_other);
}

static void add_rest(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;
	const char *advice = report_advice(verdict);

	if (verdict->failure.n_cleanups > 0) {
		begin_line(out, "afterwards");
		report_count(out, verdict->failure.n_cleanups, "cleanup call");
		text_add(out, " made harmless\n");
	}
	add_stack_check(report, out);
	if (advice) {
		begin_line(out, "next");
		text_add(out, advice);
		end_line(out);
	}
	if (report->bundle_path) {
		begin_line(out, "bundle");
		text_add_foreign(out, report->bundle_path, strlen(report->bundle_path));
		end_line(out);
	}
}

void report_text(const struct report *report, struct text *out)
{
	const struct verdict *verdict = report->verdict;

	report_headline(report, out);
	end_line(out);
	if (verdict->unknown_reason != UNKNOWN_NO_FAILURE) {
		if (verdict->n_suspects > 0)
			add_suspect(report, &verdict->suspects[0], out);
		if (verdict->n_suspects > 0 && verdict->suspects[0].record.work == WORK_GRAPH)
			add_graph(report, out);
		add_suspect_list(report, out);
		add_observer(report, out);
		add_evidence(report, out);
		add_streams(report, out);
	}
	add_rest(report, out);
}
