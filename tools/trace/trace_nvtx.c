/*
 * trace_nvtx.c - turn the rows, which record changes of the open ranges, into nested slices.
 */
#include "trace/trace_parts.h"

#include <string.h>

#include "base/text.h"

static struct trace_track track_of(enum nvtx_scope scope, uint32_t tid)
{
	return (struct trace_track){
		scope == NVTX_OF_THREAD ? TRACE_NVTX_THREAD : TRACE_NVTX_PROCESS, tid};
}

/* End all slices of a scope except the outermost `n_left`. */
static void end_slices(const struct trace_job *job, uint32_t tid, enum nvtx_scope scope,
		       uint32_t n_left, struct trace_nvtx *nvtx)
{
	struct trace_event event = {
		.phase = TRACE_END, .track = track_of(scope, tid), .time_ns = nvtx->newest_ns + 1};
	for (; nvtx->n_started[scope] > n_left; nvtx->n_started[scope]--)
		job->sink.add_event(job->sink.state, &event);
}

static void close_scope(const struct trace_job *job, uint32_t tid, enum nvtx_scope scope,
			uint32_t n_left, struct trace_nvtx *nvtx)
{
	end_slices(job, tid, scope, n_left, nvtx);
	for (; nvtx->n_rows[scope] > n_left; nvtx->n_rows[scope]--)
		nvtx->rows[scope][nvtx->n_rows[scope] - 1] = (struct record_nvtx){0};
}

static bool is_same_range(const struct record_nvtx *one, const struct record_nvtx *other)
{
	return one->text_size == other->text_size && one->domain == other->domain &&
	       !memcmp(one->text, other->text,
		       one->text_size < NVTX_TEXT_MAX ? one->text_size : NVTX_TEXT_MAX);
}

void trace_nvtx_row(const struct trace_job *job, const struct record_nvtx *row, uint32_t tid,
		    struct trace_nvtx *nvtx)
{
	enum nvtx_scope own = row->scope == NVTX_OF_THREAD ? NVTX_OF_THREAD : NVTX_OF_PROCESS;
	for (enum nvtx_scope scope = 0; scope < N_NVTX_SCOPES; scope++)
		if (row->n_open[scope] < nvtx->n_rows[scope])
			close_scope(job, tid, scope, row->n_open[scope], nvtx);
	if (row->index >= NVTX_MAX_OPEN || row->index >= row->n_open[own])
		return;
	/* A row with the same text is taken as the same range, recorded again. */
	if (row->index < nvtx->n_started[own] && !is_same_range(row, &nvtx->rows[own][row->index]))
		close_scope(job, tid, own, row->index, nvtx);
	nvtx->rows[own][row->index] = *row;
	if (nvtx->n_rows[own] <= row->index)
		nvtx->n_rows[own] = row->index + 1u;
}

static void name_track(const struct trace_job *job, enum nvtx_scope scope, uint32_t tid)
{
	struct trace_track track = track_of(scope, tid);
	char name[TRACE_TEXT_SIZE];
	struct text text = text_in(name, sizeof(name));
	text_add(&text, scope == NVTX_OF_THREAD ? "NVTX ranges, " : "NVTX ranges of the process, ");
	thread_index_label(job->threads, tid, &text);
	job->sink.add_track(job->sink.state, &track, name);
}

static void begin_slice(const struct trace_job *job, const struct journal_record *record,
			enum nvtx_scope scope, struct trace_nvtx *nvtx)
{
	const struct record_nvtx *row = &nvtx->rows[scope][nvtx->n_started[scope]++];
	char name[TRACE_TEXT_SIZE];
	char domain[TRACE_TEXT_SIZE];
	struct text text = text_in(name, sizeof(name));
	struct text domain_text = text_in(domain, sizeof(domain));
	/* Start after the end of the previous slice. */
	uint64_t begin = record->time_ns > nvtx->newest_ns ? record->time_ns : nvtx->newest_ns + 1;
	struct trace_event event = {.phase = TRACE_BEGIN,
				    .track = track_of(scope, record->tid),
				    .time_ns = begin,
				    .category = "nvtx",
				    .name = name};
	size_t length = 0;
	const char *string = view_string(job->analysis->report.view, row->domain, &length);
	text_add_foreign(&text, row->text,
			 row->text_size < NVTX_TEXT_MAX ? row->text_size : NVTX_TEXT_MAX);
	text_add(&text, row->is_cut ? "..." : "");
	text_add_foreign(&domain_text, string, length);
	if (!*name)
		event.name = "range without text";
	if (*domain)
		trace_event_note(&event, "domain", domain);
	trace_event_note(&event, "begin", "unknown; not after the drawn start");
	trace_event_note(&event, "end", "unknown; not before the drawn end");
	job->sink.add_event(job->sink.state, &event);
}

void trace_nvtx_submission(const struct trace_job *job, const struct journal_record *record,
			   struct trace_nvtx *nvtx)
{
	for (enum nvtx_scope scope = 0; scope < N_NVTX_SCOPES; scope++) {
		if (!(record->flags & RECORD_IN_RANGES))
			close_scope(job, record->tid, scope, 0, nvtx);
		if (nvtx->n_rows[scope] > 0 && !nvtx->is_named[scope])
			name_track(job, scope, record->tid);
		nvtx->is_named[scope] |= nvtx->n_rows[scope] > 0;
		while (nvtx->n_started[scope] < nvtx->n_rows[scope])
			begin_slice(job, record, scope, nvtx);
	}
	if (record->time_ns > nvtx->newest_ns)
		nvtx->newest_ns = record->time_ns;
}

void trace_nvtx_end(const struct trace_job *job, uint32_t tid, struct trace_nvtx *nvtx)
{
	for (enum nvtx_scope scope = 0; scope < N_NVTX_SCOPES; scope++)
		close_scope(job, tid, scope, 0, nvtx);
}
