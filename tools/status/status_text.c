/*
 * status_text.c - print a headline, a paragraph for each stream with unfinished work, and a line
 * for each thread in a driver call.
 */
#include "status/status_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/time_units.h"
#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_page.h"
#include "report/report_stack.h"

enum { LINE_SIZE = 8192, MAX_FRAMES = 8 };

void status_add_time(uint64_t ns, struct text *out)
{
	if (ns < NS_PER_S)
		text_addf(out, "%" PRIu64 " ms", ns / 1000000);
	else if (ns < 100ull * NS_PER_S)
		text_addf(out, "%" PRIu64 ".%" PRIu64 " s", ns / NS_PER_S, ns / 100000000 % 10);
	else
		text_addf(out, "%" PRIu64 " s", ns / NS_PER_S);
}

static void add_work(const struct report *report, const struct journal_record *record,
		     struct text *out)
{
	text_addf(out, "#%" PRIu64 " ", record->sequence);
	report_work_name(report, record, false, out);
	if (record->work == WORK_KERNEL)
		report_launch_shape(record, out);
}

/* Append how long ago the work started or was submitted; a process that has exited gets no time. */
static void add_age(const struct process_status *status, const struct stall *stall,
		    struct text *out)
{
	struct status_span age = process_status_age(status, stall);
	if (!status->now_ns)
		return;
	text_add(out, ", ");
	if (stall->kind == STALL_RUNS && stall->has_started_ns) {
		text_add(out, "started ");
		if (age.low * 10 < age.high * 9)
			text_add(out, "at most ");
	} else {
		text_add(out, "submitted ");
	}
	status_add_time(age.high, out);
	text_add(out, " ago");
}

static void add_source(const struct process_status *status, const struct stall *stall,
		       struct text *out)
{
	if (!stall->source)
		return;
	text_add(out, " of ");
	report_stream_label(&status->analysis.report, stall->source, out);
	if (stall->source_sequence)
		text_addf(out, " after #%" PRIu64, stall->source_sequence);
}

/* Append what the stream is doing as one phrase: "runs #218 spin<<<...>>>", "waits for ...". */
static void add_standing(const struct process_status *status, const struct stall *stall,
			 struct text *out)
{
	/* For a process that lives, and for one of the past. */
	static const char *const words[N_STALL_KINDS][2] = {
		[STALL_RUNS] = {"runs ", "had started "},
		[STALL_MAY_RUN] = {"not known to have finished ", "not known to have finished "},
		[STALL_EVENT] = {"waits for an event", "waited for an event"},
		[STALL_LEGACY] = {"waits, by the legacy default stream's ordering, for work",
				  "waited, by the legacy default stream's ordering, for work"},
		[STALL_FUNCTION] = {"is at the host function ", "was at the host function "},
		[STALL_VALUE] = {"waits for a value in memory, ", "waited for a value in memory, "},
		[STALL_QUEUE] = {"waits for its GPU queue, which has work",
				 "waited for its GPU queue, which had work"},
	};
	bool has_source = stall->kind == STALL_EVENT || stall->kind == STALL_LEGACY ||
			  stall->kind == STALL_QUEUE;
	text_add(out, words[stall->kind][status->is_alive ? 0 : 1]);
	if (has_source) {
		add_source(status, stall, out);
		text_add(out, ", before ");
	}
	add_work(&status->analysis.report, &stall->front, out);
	add_age(status, stall, out);
	if (stall->kind == STALL_RUNS && !stall->is_proven)
		text_add(out, "; it may have finished");
}

static void print_line(const char *label, const char *words, FILE *out)
{
	fprintf(out, "    %-14s  %s\n", label, words);
}

static void print_origin(const struct process_status *status, uint32_t stack, FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	if (!stack)
		return;
	report_stack(&status->analysis.report, stack, MAX_FRAMES, &text);
	print_line("from", line, out);
}

static void print_behind(const struct stall *stall, FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	if (!stall->n_behind)
		return;
	text_add_count(&text, stall->n_behind, "submission");
	text_addf(&text, ", the newest #%" PRIu64, stall->newest_sequence);
	print_line("after it", line, out);
}

static void print_stream(const struct process_status *status, const struct stall *stall, FILE *out)
{
	const struct report *report = &status->analysis.report;
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	report_stream_label(report, stall->stream, &text);
	text_add(&text, ", ");
	report_device_label(report, stall->stream, &text);
	if (stall->done_sequence)
		text_addf(&text, ": finished #%" PRIu64 ", ", stall->done_sequence);
	else
		text_add(&text, ": ");
	add_standing(status, stall, &text);
	fprintf(out, "  %s\n", line);
	print_origin(status, stall->front.stack, out);
	print_behind(stall, out);
}

void status_add_wait(const struct process_status *status, const struct waiting_thread *wait,
		     struct text *out)
{
	size_t length = 0;
	const char *call = view_string(&status->bundle->view, wait->call, &length);
	text_add(out, status->is_alive ? "in " : "was in ");
	text_add_foreign(out, call, length);
	if (wait->sequence)
		text_addf(out, " of #%" PRIu64, wait->sequence);
	if (wait->stream) {
		text_add(out, " on ");
		report_stream_label(&status->analysis.report, wait->stream, out);
	}
	if (status->now_ns > wait->since_ns) {
		text_add(out, " for ");
		status_add_time(status->now_ns - wait->since_ns, out);
	}
}

static void print_wait(const struct process_status *status, const struct waiting_thread *wait,
		       FILE *out)
{
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	report_thread_label(&status->analysis.report, wait->tid, &text);
	text_add(&text, ": ");
	status_add_wait(status, wait, &text);
	fprintf(out, "  %s\n", line);
	print_origin(status, wait->stack, out);
}

/* Return what the headline says about the process itself; "" if it runs normally. */
static const char *state_text(const struct process_status *status)
{
	if (view_failure(&status->bundle->view))
		return status->is_alive ? " has failed; see culprit report"
					: " failed, and has ended; see culprit report";
	if (!status->is_alive)
		return " has exited or is not visible from here";
	if (status->is_stopped)
		return " is stopped by a signal or a debugger";
	if (status->locked_ns)
		return " is locked for a checkpoint: its calls wait until it is unlocked";
	if (!status->has_snapshot)
		return " does not answer; its progress is known only from its API calls";
	return "";
}

/* Append "2 streams at work, 1 thread is in a call", in the past if it is of the past. */
static void add_counts(const struct process_status *status, struct text *out)
{
	bool is_alive = status->is_alive;
	if (status->stalls.n) {
		text_add_count(out, status->stalls.n + status->stalls.n_unlisted, "stream");
		text_add(out, is_alive ? " at work" : " had unfinished work");
	} else {
		text_add(out, is_alive ? "it has no unfinished GPU work"
				       : "it had no unfinished GPU work");
	}
	if (!status->n_waits)
		return;
	text_add(out, ", ");
	text_add_count(out, status->n_waits, "thread");
	if (is_alive)
		text_add(out, status->n_waits == 1 ? " is in a call" : " are in calls");
	else
		text_add(out, status->n_waits == 1 ? " was in a call" : " were in calls");
}

static void print_headline(const struct process_status *status, FILE *out)
{
	const struct report_process *process = status->analysis.report.process;
	if (!status->is_alive && (status->analysis.finding == FINDING_HANG ||
				  status->analysis.finding == FINDING_UNFINISHED))
		fprintf(out, "%s\n", report_headline(status->analysis.page));
	char line[LINE_SIZE];
	struct text text = text_in(line, sizeof(line));
	text_addf(&text, "culprit: process %ld%s: ", status->pid, state_text(status));
	add_counts(status, &text);
	fprintf(out, "%s\n", line);
	if (process->n_lines)
		fprintf(out, "  %s\n", process->lines[0]);
}

int status_print_text(const struct process_status *status, FILE *out)
{
	print_headline(status, out);
	for (uint32_t i = 0; i < status->stalls.n; i++)
		print_stream(status, &status->stalls.rows[i], out);
	for (uint32_t i = 0; i < status->n_waits; i++)
		print_wait(status, &status->waits[i], out);
	return ferror(out) ? -EIO : 0;
}
