/*
 * threads_html.c - print a table with a row for each thread that submitted work, newest first.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_labels.h"
#include "report/report_stack.h"

enum { MAX_THREADS = 64, MAX_FRAMES = 4 };

struct thread_end {
	uint32_t tid;
	size_t n;
	const struct timeline_work *last;
};

struct threads {
	struct thread_end rows[MAX_THREADS];
	size_t n;
};

/* Return the thread's row, added if new; NULL if the table is full. */
static struct thread_end *find_thread(struct threads *threads, uint32_t tid)
{
	for (size_t i = 0; i < threads->n; i++)
		if (threads->rows[i].tid == tid)
			return &threads->rows[i];
	if (threads->n == MAX_THREADS)
		return NULL;
	threads->rows[threads->n] = (struct thread_end){.tid = tid};
	return &threads->rows[threads->n++];
}

/* Walk from the newest submission back, so that each thread's last one is found first. */
static void collect(const struct timeline *timeline, struct threads *out)
{
	for (size_t i = timeline->n_works; i > 0; i--) {
		struct thread_end *row = find_thread(out, timeline->works[i - 1].tid);
		if (row && !row->n++)
			row->last = &timeline->works[i - 1];
	}
}

static void print_stack(const struct html_report *report, uint32_t stack, char *buffer)
{
	struct text text = text_in(buffer, HTML_NAME_SIZE);
	report_stack(&report->analysis->report, stack, MAX_FRAMES, &text);
	html_print(report->out, "<td>%s</td></tr>\n", buffer);
}

/* For the observer, print the call that returned the error; for others, their last submission. */
static void print_last(const struct html_report *report, const struct thread_end *row, char *buffer)
{
	const struct bundle_view *view = report->analysis->report.view;
	const struct failure_row *failure = &report->analysis->verdict->failure;
	if (analysis_has_failure(report->analysis) && failure->tid == row->tid) {
		html_print(report->out, "<td>saw the failure in <code>%s</code></td>",
			   view_string(view, failure->call, NULL));
		print_stack(report, failure->stack, buffer);
		return;
	}
	struct journal_record record;
	if (!row->last || !timeline_record(&report->timeline, row->last, &record)) {
		html_print(report->out, "<td></td><td></td></tr>\n");
		return;
	}
	html_print(report->out, "<td>%s <code>%s</code>, #%ju</td>",
		   record.result == RESULT_PENDING ? "is in" : "was last in",
		   view_string(view, record.call, NULL), (uintmax_t)record.sequence);
	print_stack(report, record.stack, buffer);
}

static void print_thread(const struct html_report *report, const struct thread_end *row,
			 char *buffer)
{
	struct text text = text_in(buffer, HTML_NAME_SIZE);
	report_thread_label(&report->analysis->report, row->tid, &text);
	html_print(report->out, "<tr><td>%s</td><td>%zu</td>", buffer, row->n);
	print_last(report, row, buffer);
}

void html_threads(const struct html_report *report)
{
	struct threads *threads = calloc(1, sizeof(*threads));
	char *buffer = malloc(HTML_NAME_SIZE);
	if (threads && buffer) {
		/* The thread that saw the failure may not have submitted any work. */
		if (analysis_has_failure(report->analysis))
			(void)find_thread(threads, report->analysis->verdict->failure.tid);
		collect(&report->timeline, threads);
	}
	if (threads && buffer && threads->n) {
		html_print(
			report->out,
			"<section><h2>Threads</h2>\n<div class=\"scroll\" tabindex=\"0\" "
			"role=\"region\" aria-label=\"Threads\"><table><thead><tr><th>thread</th>"
			"<th>submissions</th><th>call</th><th>from</th></tr></thead><tbody>\n");
		for (size_t i = 0; i < threads->n; i++)
			print_thread(report, &threads->rows[i], buffer);
		html_print(report->out, "</tbody></table></div></section>\n");
	}
	free(buffer);
	free(threads);
}
