/*
 * status_json.c - build the object of status_json.h.
 */
#include "status/status_json.h"

#include "report/report_labels.h"
#include "json/json_parts.h"
#include "json/json_values.h"

static const char *state_word(const struct process_status *status)
{
	if (view_failure(&status->bundle->view))
		return "failed";
	if (!status->is_alive)
		return "ended";
	if (status->is_stopped)
		return "stopped";
	if (status->locked_ns)
		return "locked";
	return status->has_snapshot ? "runs" : "silent";
}

/* Return the number, or null for 0, which means "none". */
static json_t *number_or_null(uint64_t number)
{
	return number ? json_count(number) : json_null();
}

static json_t *dimensions_to_json(const struct journal_record *record, const uint32_t n[3])
{
	return record->work == WORK_KERNEL ? json_dimensions(n[0], n[1], n[2]) : json_null();
}

static json_t *source_to_json(const struct stall *stall)
{
	if (!stall->source)
		return json_null();
	return json_pack("{s:i, s:o}", "stream", (int)stall->source, "submission",
			 number_or_null(stall->source_sequence));
}

static json_t *age_to_json(const struct process_status *status, const struct stall *stall)
{
	struct status_span age = process_status_age(status, stall);
	if (!status->now_ns)
		return json_null();
	return json_pack("{s:o, s:o}", "low", json_count(age.low / 1000000), "high",
			 json_count(age.high / 1000000));
}

static json_t *stream_to_json(const struct process_status *status, const struct stall *stall)
{
	const struct analysis *analysis = &status->analysis;
	const struct journal_record *front = &stall->front;
	return json_pack(
		"{s:i, s:o, s:s, s:b, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"id", (int)stall->stream, "label", stream_label_to_json(analysis, stall->stream),
		"state", stall_label(stall->kind), "proven", stall->is_proven, "finished",
		number_or_null(stall->done_sequence), "submission", json_count(front->sequence),
		"kind", report_work_label(front->work), "name", work_name_to_json(analysis, front),
		"grid", dimensions_to_json(front, front->launch.grid), "block",
		dimensions_to_json(front, front->launch.block), "age_ms",
		age_to_json(status, stall), "behind", json_count(stall->n_behind), "newest",
		json_count(stall->newest_sequence), "waits_for", source_to_json(stall), "stack",
		stack_to_json(analysis, front->stack), "python_stack",
		python_stack_to_json(analysis, front->stack));
}

static json_t *wait_to_json(const struct process_status *status, const struct waiting_thread *wait)
{
	const struct analysis *analysis = &status->analysis;
	uint64_t for_ns = status->now_ns > wait->since_ns ? status->now_ns - wait->since_ns : 0;
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "thread",
			 thread_to_json(analysis, wait->tid), "call",
			 json_view_string(&status->bundle->view, wait->call), "stream",
			 number_or_null(wait->stream), "submission", number_or_null(wait->sequence),
			 "for_ms", status->now_ns ? json_count(for_ns / 1000000) : json_null(),
			 "stack", stack_to_json(analysis, wait->stack), "python_stack",
			 python_stack_to_json(analysis, wait->stack));
}

json_t *status_to_json(const struct process_status *status)
{
	json_t *streams = json_array();
	json_t *threads = json_array();
	for (uint32_t i = 0; i < status->stalls.n; i++)
		json_array_append_new(streams, stream_to_json(status, &status->stalls.rows[i]));
	for (uint32_t i = 0; i < status->n_waits; i++)
		json_array_append_new(threads, wait_to_json(status, &status->waits[i]));
	return json_pack("{s:s, s:i, s:I, s:o, s:s, s:o, s:b, s:o, s:o, s:n}", "culprit",
			 CULPRIT_VERSION, "format", STATUS_JSON_FORMAT, "pid",
			 (json_int_t)status->pid, "bundle", json_foreign(status->bundle->path),
			 "state", state_word(status), "time_ns", number_or_null(status->now_ns),
			 "words", status->stalls.has_counters, "streams", streams, "threads",
			 threads, "job");
}
