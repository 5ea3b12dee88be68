/*
 * report_json.c - the verdict as JSON: everything but the suspects themselves.
 */
#include "report_json.h"

#include "failure_class.h"
#include "json_values.h"
#include "text.h"

enum { LABEL_SIZE = 1024 };

const char *stream_kind_word(uint32_t kind)
{
	switch (kind) {
	case STREAM_LEGACY:
		return "legacy";
	case STREAM_PER_THREAD:
		return "per_thread";
	default:
		return "explicit";
	}
}

json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream)
{
	char label[LABEL_SIZE];
	struct text text = text_in(label, sizeof(label));

	report_stream_label(&analysis->report, stream, &text);
	return json_string(label);
}

json_t *thread_to_json(const struct analysis *analysis, uint32_t tid)
{
	const struct thread_row *thread = view_thread(analysis->report.view, tid);

	return json_pack("{s:I, s:o}", "tid", (json_int_t)tid, "name",
			 json_view_string(analysis->report.view, thread ? thread->name : 0));
}

static json_t *error_to_json(const struct analysis *analysis)
{
	char name[LABEL_SIZE];
	struct text text = text_in(name, sizeof(name));
	int32_t code = analysis->verdict->failure.code;

	if (!analysis_has_failure(analysis))
		return json_null();
	report_failure_name(&analysis->report, &text);
	return json_pack("{s:i, s:s, s:s?}", "code", code, "name", name, "text",
			 failure_text(code));
}

static json_t *observer_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	const struct failure_row *failure = &verdict->failure;
	const struct journal_record *first =
		verdict->n_suspects ? &verdict->suspects[0].record : NULL;

	if (!analysis_has_failure(analysis))
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "call",
			 json_view_string(analysis->report.view, failure->call), "thread",
			 thread_to_json(analysis, failure->tid), "stream",
			 failure->stream ? json_count(failure->stream) : json_null(), "stack",
			 stack_to_json(analysis, failure->stack), "python_stack",
			 python_stack_to_json(analysis, failure->stack), "submissions_later",
			 first ? json_count(report_submissions_later(&analysis->report, first))
			       : json_null(),
			 "ms_later",
			 first ? json_count(report_ms_later(&analysis->report, first))
			       : json_null());
}

json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal)
{
	const struct stream_row *row = view_stream(analysis->report.view, stream);
	uint64_t before = row ? row->before : 0;

	return json_count(ordinal > before ? ordinal - before : 0);
}

static json_t *evidence_to_json(const struct analysis *analysis, const struct evidence *evidence)
{
	char line[LABEL_SIZE];
	struct text text = text_in(line, sizeof(line));

	report_evidence_text(&analysis->report, evidence, &text);
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "kind",
			 report_evidence_word(evidence->kind), "text", line, "stream",
			 evidence->stream ? json_count(evidence->stream) : json_null(), "ordinal",
			 ordinal_to_json(analysis, evidence->stream, evidence->ordinal),
			 "submission", json_count(evidence->sequence), "count",
			 json_count(evidence->count), "call",
			 json_view_string(analysis->report.view, evidence->call));
}

static json_t *span_to_json(const struct submission_span *span)
{
	return json_pack("{s:o, s:o, s:o}", "n", json_count(span->n), "first",
			 json_count(span->first), "last", json_count(span->last));
}

static json_t *stream_to_json(const struct analysis *analysis, const struct stream_state *state)
{
	const struct stream_row *stream = view_stream(analysis->report.view, state->stream);

	return json_pack("{s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:o}", "id",
			 json_count(state->stream), "label",
			 stream_label_to_json(analysis, state->stream), "handle",
			 json_handle(stream ? stream->handle : 0), "kind",
			 stream_kind_word(stream ? stream->kind : STREAM_EXPLICIT), "done",
			 ordinal_to_json(analysis, state->stream, state->done), "submitted",
			 ordinal_to_json(analysis, state->stream, state->submitted), "suspects",
			 json_count(state->n_suspects), "lost", json_count(state->n_lost),
			 "blocked", state->is_blocked, "started", span_to_json(&state->started),
			 "waiting", span_to_json(&state->waiting));
}

static json_t *suspects_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	json_t *array = json_array();

	for (uint64_t index = 0; index < verdict->n_suspects && index < VERDICT_MAX_SUSPECTS;
	     index++)
		json_array_append_new(array, suspect_to_json(analysis, &verdict->suspects[index]));
	return array;
}

static json_t *all_evidence_to_json(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (uint32_t index = 0; index < analysis->verdict->n_evidence; index++)
		json_array_append_new(
			array, evidence_to_json(analysis, &analysis->verdict->evidence[index]));
	return array;
}

static json_t *streams_to_json(const struct analysis *analysis)
{
	json_t *array = json_array();

	for (uint32_t index = 0; index < analysis->verdict->n_streams; index++)
		json_array_append_new(array,
				      stream_to_json(analysis, &analysis->verdict->streams[index]));
	return array;
}

static json_t *verdict_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	bool is_unknown = verdict->class == VERDICT_UNKNOWN;

	return json_pack("{s:s, s:i, s:o, s:s, s:s?, s:s?, s:o, s:o, s:o}", "culprit",
			 CULPRIT_VERSION, "format", 1, "bundle",
			 json_foreign(analysis->bundle->path), "verdict",
			 report_verdict_word(verdict->class), "reason",
			 is_unknown ? report_unknown_text(verdict->unknown_reason) : NULL, "advice",
			 report_advice(verdict), "error", error_to_json(analysis), "n_suspects",
			 json_count(verdict->n_suspects), "suspects", suspects_to_json(analysis));
}

static json_t *stack_check_to_json(const struct analysis *analysis)
{
	const struct stack_check_row *check = view_stack_check(analysis->report.view);

	if (!check)
		return json_null();
	return json_pack("{s:o, s:o, s:o, s:o}", "checks", json_count(check->n_checks),
			 "unlike_full_walk", json_count(check->n_unlike_full),
			 "unlike_other_unwinder", json_count(check->n_unlike_other), "first",
			 check->first_stack ? json_count(check->first_stack) : json_null());
}

static json_t *circumstances_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:o, s:O?}", "observer",
			 observer_to_json(analysis), "evidence", all_evidence_to_json(analysis),
			 "stack_check", stack_check_to_json(analysis), "streams",
			 streams_to_json(analysis), "streams_unlisted",
			 json_count(verdict->n_streams_unlisted), "afterwards", "cleanups",
			 json_count(verdict->failure.n_cleanups), "sticky",
			 json_count(verdict->failure.n_sticky), "coredump",
			 coredump_to_json(analysis), "process", analysis->bundle->meta);
}

json_t *report_to_json(const struct analysis *analysis)
{
	json_t *report = verdict_to_json(analysis);
	json_t *rest = report ? circumstances_to_json(analysis) : NULL;

	if (!rest || json_object_update(report, rest)) {
		json_decref(report);
		report = NULL;
	}
	json_decref(rest);
	return report;
}
