/*
 * trace_write.c - pass the parts of a trace to the sink of its format.
 */
#include "trace/trace_parts.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "bundle/bundle_meta.h"
#include "timeline/timeline.h"

static void name_process(const struct trace_job *job)
{
	static const struct trace_track track = {TRACE_PROCESS, 0};
	const struct report_process *process = &job->analysis->process.report;
	const char *program = bundle_meta_text(job->analysis->bundle->meta, "program");
	char name[TRACE_TEXT_SIZE];
	struct text text = text_in(name, sizeof(name));
	text_add_foreign(&text, program, strlen(program));
	if (process->rank && *process->rank)
		text_addf(&text, ", rank %s", process->rank);
	job->sink.add_track(job->sink.state, &track, name);
}

static int fill(struct trace_job *job)
{
	name_process(job);
	trace_host(job);
	trace_counters(job);
	int result = trace_memory(job);
	return result ? result : trace_gpu(job);
}

static int write_to(struct trace_job *job, enum trace_format format, FILE *out)
{
	int result = 0;
	int closed = 0;
	if (format == TRACE_PERFETTO) {
		struct perfetto *perfetto = perfetto_open(job->analysis, out);
		if (!perfetto)
			return -ENOMEM;
		job->sink = perfetto_sink(perfetto);
		result = fill(job);
		closed = perfetto_close(perfetto);
		return result ? result : closed;
	}
	struct chrome *chrome = chrome_open(job->analysis, out);
	if (!chrome)
		return -ENOMEM;
	job->sink = chrome_sink(chrome);
	result = fill(job);
	closed = chrome_close(chrome);
	return result ? result : closed;
}

static int write_timeline(const struct analysis *analysis, const struct timeline *timeline,
			  enum trace_format format, FILE *out)
{
	struct thread_index threads;
	struct timeline_times times;
	struct trace_job job = {
		.analysis = analysis, .timeline = timeline, .times = &times, .threads = &threads};
	int result = timeline_times_find(timeline, analysis->verdict, &times);
	if (result)
		return result;
	result = thread_index_make(analysis->report.view, &threads);
	if (!result)
		result = write_to(&job, format, out);
	thread_index_free(&threads);
	timeline_times_free(&times);
	return result;
}

int trace_write(const struct analysis *analysis, enum trace_format format, FILE *out)
{
	struct timeline timeline;
	int result = timeline_open(analysis->report.view, analysis->verdict, &timeline);
	if (result)
		return result;
	result = write_timeline(analysis, &timeline, format, out);
	timeline_close(&timeline);
	return result;
}
