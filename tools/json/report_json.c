/*
 * report_json.c - the report as JSON; suspect_json.c converts the suspects.
 */
#include "json/report_json.h"

#include <limits.h>
#include <stdlib.h>

#include "analysis/analysis_text.h"
#include "analysis/fingerprint.h"
#include "base/failure_class.h"
#include "base/text.h"
#include "hardware/hardware_json.h"
#include "report/report_advice.h"
#include "report/report_evidence.h"
#include "report/report_labels.h"
#include "report/report_page.h"
#include "report/report_parts.h"
#include "json/json_parts.h"
#include "json/json_values.h"

enum { LABEL_SIZE = 1024 };

static json_t *error_to_json(const struct analysis *analysis)
{
	char name[LABEL_SIZE];
	struct text text = text_in(name, sizeof(name));
	int32_t code = analysis_code(analysis);
	if (!analysis_has_failure(analysis) && analysis->finding != FINDING_REJECTION)
		return json_null();
	analysis_add_name(analysis, &text);
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

static json_t *evidence_to_json(const struct analysis *analysis, const struct evidence *evidence)
{
	char line[LABEL_SIZE];
	struct text text = text_in(line, sizeof(line));
	report_evidence_text(&analysis->report, evidence, &text);
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "kind",
			 report_evidence_label(evidence->kind), "text", line, "stream",
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
			 label_stream_kind(stream ? stream->kind : STREAM_EXPLICIT), "done",
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

static json_t *advice_to_json(const struct verdict *verdict)
{
	json_t *array = json_array();
	struct advice advice;
	report_advice(verdict, &advice);
	for (uint32_t index = 0; index < advice.n; index++) {
		struct advice_setting setting = advice_setting(advice.kinds[index]);
		json_array_append_new(array, json_pack("{s:s, s:s?, s:s?}", "kind",
						       advice_label(advice.kinds[index]), "setting",
						       setting.name, "value", setting.value));
	}
	return array;
}

/* Return the members that identify the bundle; its path is absolute. */
static json_t *heading_to_json(const struct analysis *analysis)
{
	char path[PATH_MAX];
	/* A redacted report does not reveal where its bundle is stored. */
	const char *shown =
		analysis->report.view->is_redacted ? NULL : realpath(analysis->bundle->path, path);
	struct fingerprint fingerprint;
	fingerprint_of(analysis, &fingerprint);
	return json_pack("{s:s, s:i, s:b, s:o, s:o, s:o, s:o, s:O?, s:s?, s:s?}", "culprit",
			 CULPRIT_VERSION, "format", REPORT_JSON_FORMAT, "stored", 0, "bundle",
			 json_foreign(shown ? shown : analysis->bundle->path), "uri",
			 shown ? json_uri(shown) : json_null(), "time",
			 process_moment_to_json(analysis, analysis->verdict->failure.time_ns),
			 "process", process_to_json(analysis), "meta", analysis->bundle->meta,
			 "fingerprint", *fingerprint.id ? fingerprint.id : NULL, "fingerprint_of",
			 *fingerprint.id ? fingerprint.of : NULL);
}

static json_t *unfinished_to_json(const struct analysis *analysis)
{
	return analysis_has_failure(analysis) ? json_null()
					      : json_count(analysis->verdict->n_unfinished);
}

static json_t *own_report_to_json(const struct analysis *analysis)
{
	const struct bundle *bundle = analysis->bundle;
	return analysis->is_told ? json_foreign_bytes(bundle->told, bundle->told_size)
				 : json_null();
}

static json_t *hang_to_json(const struct analysis *analysis)
{
	if (analysis->finding != FINDING_HANG)
		return json_null();
	return json_pack("{s:I, s:o}", "ns", (json_int_t)analysis->hang.ns, "streams",
			 finding_streams(&analysis->hang));
}

static json_t *started_to_json(const struct analysis *analysis)
{
	const struct hang_claim *hang = analysis->verdict->hang;
	if (!hang || !hang->is_of_end)
		return json_null();
	return json_pack("{s:I, s:I, s:o}", "ns", (json_int_t)hang->ns, "later",
			 (json_int_t)hang->n_later, "streams", finding_streams(hang));
}

static json_t *summary_to_json(const struct analysis *analysis)
{
	char *buffer = malloc(REPORT_TEXT_SIZE);
	if (!buffer)
		return NULL;
	struct text text = text_in(buffer, REPORT_TEXT_SIZE);
	analysis_text_short(analysis, &text);
	json_t *summary = json_string(buffer);
	free(buffer);
	return summary;
}

static json_t *verdict_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	bool has_failure = analysis_has_failure(analysis);
	bool has_verdict = has_failure || analysis->finding == FINDING_HANG ||
			   analysis->finding == FINDING_UNFINISHED;
	bool is_unknown = has_failure && verdict->class == VERDICT_UNKNOWN;
	bool is_kernel = false;
	enum line_certainty line = report_suspects_line(&analysis->report, &is_kernel);
	return json_pack(
		"{s:s?, s:s?, s:s?, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, "
		"s:o, s:o, s:o}",
		"verdict", has_verdict ? report_verdict_label(verdict->class) : NULL, "line",
		report_line_label(line), "reason",
		is_unknown ? report_unknown_text(verdict->unknown_reason) : NULL, "advice",
		page_labels_to_json(analysis->page, PAGE_NEXT), "next", advice_to_json(verdict),
		"error", error_to_json(analysis), "finding", finding_label(analysis->finding),
		"hang", hang_to_json(analysis), "started", started_to_json(analysis), "n_suspects",
		json_count(verdict->n_suspects), "suspects", suspects_to_json(analysis), "lead",
		report_lead_label(verdict->lead), "groups", suspect_groups_to_json(analysis),
		"ungrouped", json_count(verdict->n_ungrouped), "unfinished",
		unfinished_to_json(analysis), "told", own_report_to_json(analysis), "lines",
		page_to_json(analysis->page), "summary", summary_to_json(analysis));
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

/* Return the number of lost rows of each file, or null if all rows fitted. */
static json_t *no_room_to_json(const struct analysis *analysis)
{
	json_t *object = json_object();
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		uint64_t n = analysis->report.view->tables[kind].lost;
		if (n > 0)
			json_object_set_new(object, journal_file_names[kind], json_count(n));
	}
	if (json_object_size(object) > 0)
		return object;
	json_decref(object);
	return json_null();
}

static json_t *circumstances_to_json(const struct analysis *analysis)
{
	const struct verdict *verdict = analysis->verdict;
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:b}, s:o}", "observer",
			 observer_to_json(analysis), "evidence", all_evidence_to_json(analysis),
			 "stack_check", stack_check_to_json(analysis), "no_room",
			 no_room_to_json(analysis), "streams", streams_to_json(analysis),
			 "streams_unlisted", json_count(verdict->n_streams_unlisted), "afterwards",
			 "cleanups", json_count(verdict->failure.n_cleanups), "sticky",
			 json_count(verdict->failure.n_sticky), "later_failure",
			 (verdict->failure.flags & FAILURE_FOLLOWED) != 0, "coredump",
			 coredump_to_json(analysis));
}

/* Move the members of `part` into *report. If out of memory, free both and set *report to NULL. */
static void add_part(json_t **report, json_t *part)
{
	if (*report && (!part || json_object_update(*report, part))) {
		json_decref(*report);
		*report = NULL;
	}
	json_decref(part);
}

static json_t *missed_symbols_to_json(const struct analysis *analysis)
{
	json_t *array = json_array();
	struct analysis_module module;
	for (uint32_t index = 0; analysis_next_module(analysis, &index, &module);) {
		if (module.missed)
			json_array_append_new(array, json_pack("{s:o, s:s}", "module",
							       json_foreign(module.path), "problem",
							       module.missed));
	}
	return array;
}

static json_t *hardware_report_to_json(const struct analysis *analysis)
{
	const struct hardware *hardware = analysis->bundle->hardware;
	if (!hardware)
		return json_null();
	json_t *object = hardware_to_json(hardware, analysis->report.view->is_redacted);
	const char *word = hardware_cause_label(analysis->hardware.cause);
	json_object_set_new(object, "points_to", word ? json_string(word) : json_null());
	return object;
}

json_t *report_to_json(const struct analysis *analysis)
{
	json_t *report = heading_to_json(analysis);
	add_part(&report, verdict_to_json(analysis));
	add_part(&report, circumstances_to_json(analysis));
	add_part(&report,
		 json_pack("{s:o, s:o, s:o}", "refusals", rows_rejections_to_json(analysis),
			   "fault", rows_fault_to_json(analysis), "first_nan",
			   nan_to_json(analysis)));
	/* Keep this last: converting the stacks above loads the symbols. */
	add_part(&report, json_pack("{s:o}", "missed_symbols", missed_symbols_to_json(analysis)));
	add_part(&report, json_pack("{s:o, s:o, s:n}", "versions", versions_to_json(analysis),
				    "hardware", hardware_report_to_json(analysis), "job"));
	return report;
}
