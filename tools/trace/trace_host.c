/*
 * trace_host.c - draw rings as threads. A submission's record has the time at which its call
 * started; a sync's record has the time at which it returned.
 */
#include "trace/trace_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "report/report_labels.h"
#include "report/report_names.h"

/* The state of a walk along one thread's part of a ring. */
struct thread_walk {
	const struct trace_job *job;
	uint32_t tid;
	/* The slice that is open, which may last until the next record. */
	bool is_open;
	bool is_synchronous;
	uint64_t started_ns;
	uint64_t drawn_ns; /* end of what is drawn: later slices start here at the earliest */
	struct trace_nvtx nvtx;
};

static void emit(const struct thread_walk *walk, enum trace_phase phase, uint64_t time_ns)
{
	struct trace_event event = {
		.phase = phase, .track = {TRACE_THREAD, walk->tid}, .time_ns = time_ns};
	walk->job->sink.add_event(walk->job->sink.state, &event);
}

/*
 * End the open slice. A synchronous call may have lasted until the next record, at `next_ns`; other
 * calls are drawn as short.
 */
static void end_slice(struct thread_walk *walk, uint64_t next_ns)
{
	uint64_t end = walk->started_ns + TRACE_DRAWN_NS;
	if (!walk->is_open)
		return;
	if (next_ns && (next_ns < end || walk->is_synchronous))
		end = next_ns;
	if (end < walk->started_ns)
		end = walk->started_ns;
	emit(walk, TRACE_END, end);
	walk->drawn_ns = end;
	walk->is_open = false;
}

static const char *category_of(const struct journal_record *record)
{
	switch (record->kind) {
	case RECORD_SUBMISSION:
		return "host.submission";
	case RECORD_SYNC:
		return "host.sync";
	case RECORD_CAPTURED:
		return "host.captured";
	case RECORD_CLEANUP:
		return "host.cleanup";
	default:
		return "host.event";
	}
}

static void describe(const struct thread_walk *walk, const struct journal_record *record,
		     struct text *work, struct trace_event *event)
{
	bool is_sync = record->kind == RECORD_SYNC;
	event->category = category_of(record);
	event->stack = record->stack;
	trace_event_note(event, "begin",
			 is_sync ? "unknown; not before the drawn start" : "measured");
	trace_event_note(event, "end", is_sync ? "measured" : "unknown; drawn as short");
	if (record->kind == RECORD_SUBMISSION) {
		trace_event_number(event, "submission", record->sequence);
		trace_event_flow(event, trace_flow_of_submission(record->sequence), true);
	}
	if (record->kind == RECORD_SUBMISSION || record->kind == RECORD_CAPTURED)
		report_work_name(&walk->job->analysis->report, record, true, work);
	if (record->result > 0)
		trace_event_number(event, "result", (uint64_t)record->result);
}

static void add_call(struct thread_walk *walk, const struct journal_record *record)
{
	const struct report *report = &walk->job->analysis->report;
	char name[TRACE_TEXT_SIZE];
	char work[TRACE_TEXT_SIZE];
	struct text name_text = text_in(name, sizeof(name));
	struct text work_text = text_in(work, sizeof(work));
	struct trace_event event = {.phase = TRACE_BEGIN, .track = {TRACE_THREAD, walk->tid}};
	size_t length = 0;
	const char *call = view_string(report->view, record->call, &length);
	end_slice(walk, record->time_ns);
	text_add_foreign(&name_text, call, length);
	event.name = length ? name : "unknown call";
	describe(walk, record, &work_text, &event);
	if (*work)
		trace_event_note(&event, "work", work);
	event.time_ns = record->time_ns > walk->drawn_ns ? record->time_ns : walk->drawn_ns;
	if (record->kind == RECORD_SYNC)
		event.time_ns = walk->drawn_ns ? walk->drawn_ns : record->time_ns;
	walk->job->sink.add_event(walk->job->sink.state, &event);
	walk->started_ns = event.time_ns;
	walk->is_open = record->result != RESULT_PENDING;
	walk->is_synchronous = record->flags & RECORD_SYNCHRONOUS;
	if (record->kind == RECORD_SYNC && walk->is_open) {
		walk->is_open = false;
		walk->drawn_ns = record->time_ns > event.time_ns ? record->time_ns : event.time_ns;
		emit(walk, TRACE_END, walk->drawn_ns);
	}
}

static void end_thread(struct thread_walk *walk)
{
	end_slice(walk, 0);
	trace_nvtx_end(walk->job, walk->tid, &walk->nvtx);
}

static void begin_thread(struct thread_walk *walk, uint32_t tid)
{
	const struct trace_job *job = walk->job;
	char name[TRACE_TEXT_SIZE];
	struct text text = text_in(name, sizeof(name));
	struct trace_track track = {TRACE_THREAD, tid};
	*walk = (struct thread_walk){.job = job, .tid = tid};
	thread_index_label(job->threads, tid, &text);
	job->sink.add_track(job->sink.state, &track, name);
}

static void add_record(struct thread_walk *walk, const struct journal_record *record)
{
	if (record->tid != walk->tid) {
		end_thread(walk);
		begin_thread(walk, record->tid);
	}
	switch (record->kind) {
	case RECORD_NVTX:
		trace_nvtx_row(walk->job, &record->nvtx, walk->tid, &walk->nvtx);
		return;
	case RECORD_ARGUMENTS:
	case RECORD_REJECTION:
		return;
	case RECORD_SUBMISSION:
		trace_nvtx_submission(walk->job, record, &walk->nvtx);
		break;
	default:
		break;
	}
	add_call(walk, record);
}

static void add_ring(const struct trace_job *job, uint32_t slot)
{
	const struct bundle_view *view = job->analysis->report.view;
	uint64_t n_places = view_written(view, slot);
	uint64_t oldest = view_oldest(view, slot);
	struct thread_walk walk = {.job = job};
	struct journal_record record;
	for (uint64_t index = 0; index < n_places; index++)
		if (view_record(view, slot, (oldest + index) % n_places, &record))
			add_record(&walk, &record);
	if (walk.tid)
		end_thread(&walk);
}

/* Add an event where a call returned the error. */
static void add_failure(const struct trace_job *job, const struct failure_row *failure)
{
	const struct report *report = &job->analysis->report;
	char name[TRACE_TEXT_SIZE];
	char call[TRACE_TEXT_SIZE];
	struct text name_text = text_in(name, sizeof(name));
	struct text call_text = text_in(call, sizeof(call));
	struct trace_event event = {.phase = TRACE_INSTANT,
				    .track = {TRACE_THREAD, failure->tid},
				    .time_ns = failure->time_ns,
				    .category = "failure",
				    .name = name,
				    .stack = failure->stack};
	size_t length = 0;
	const char *observer = view_string(report->view, failure->call, &length);
	report_failure_name(report, &name_text);
	text_addf(&name_text, " (%" PRId32 ")", failure->code);
	text_add_foreign(&call_text, observer, length);
	trace_event_note(&event, "seen by", call);
	trace_event_note(&event, "verdict", report_verdict_label(report->verdict->class));
	job->sink.add_event(job->sink.state, &event);
}

void trace_host(const struct trace_job *job)
{
	const struct bundle_view *view = job->analysis->report.view;
	const struct failure_row *failure = view_failure(view);
	for (uint32_t slot = 0; slot < view->n_rings; slot++)
		add_ring(job, slot);
	if (failure)
		add_failure(job, failure);
}
