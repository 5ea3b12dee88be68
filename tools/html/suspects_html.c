/*
 * suspects_html.c - print a table of the suspects that the verdict lists.
 */
#include "html/html_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_labels.h"
#include "report/report_names.h"
#include "report/report_stack.h"

enum { MAX_FRAMES = 8 };

static void print_name(const struct html_report *report, const struct journal_record *record,
		       char *buffer)
{
	struct text text = text_in(buffer, HTML_NAME_SIZE);
	report_work_name(&report->analysis->report, record, false, &text);
	if (record->work == WORK_KERNEL)
		report_launch_shape(record, &text);
	html_print(report->out, "<td class=\"name\"><code>%s</code></td>", buffer);
}

static void print_origin(const struct html_report *report, const struct journal_record *record,
			 char *buffer)
{
	const struct report *model = &report->analysis->report;
	struct text text = text_in(buffer, HTML_NAME_SIZE);
	report_stream_label(model, record->stream, &text);
	html_print(report->out, "<td>%s</td>", buffer);
	text = text_in(buffer, HTML_NAME_SIZE);
	report_thread_label(model, record->tid, &text);
	html_print(report->out, "<td>%s</td>", buffer);
	text = text_in(buffer, HTML_NAME_SIZE);
	report_stack(model, record->stack, MAX_FRAMES, &text);
	html_print(report->out, "<td>%s</td></tr>\n", buffer);
}

static const char *state_text(const struct html_report *report, uint64_t index)
{
	for (size_t i = 0; i < report->timeline.n_works; i++)
		if (report->timeline.works[i].suspect == index + 1)
			return timeline_state_text(
				(enum timeline_state)report->timeline.works[i].state);
	return "";
}

static void print_suspect(const struct html_report *report, uint64_t index, char *buffer)
{
	const struct journal_record *record = &report->analysis->verdict->suspects[index].record;
	html_print(report->out, "<tr id=\"r%u-suspect%ju\"><td>#%ju</td><td>%s%s</td>",
		   report->number, (uintmax_t)index, (uintmax_t)record->sequence,
		   report->analysis->verdict->class >= VERDICT_LIKELY ? "culprit: " : "",
		   state_text(report, index));
	print_name(report, record, buffer);
	print_origin(report, record, buffer);
}

void html_suspects(const struct html_report *report)
{
	const struct verdict *verdict = report->analysis->verdict;
	uint64_t n = verdict->n_suspects < VERDICT_MAX_SUSPECTS ? verdict->n_suspects
								: VERDICT_MAX_SUSPECTS;
	char *buffer = malloc(HTML_NAME_SIZE);
	if (!n || !buffer) {
		free(buffer);
		return;
	}
	html_print(report->out,
		   "<section><h2>%s</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		   "aria-label=\"Suspects\"><table><thead><tr><th>number</th><th>state</th><th>what"
		   "</th><th>stream</th><th>thread</th><th>from</th></tr></thead><tbody>\n",
		   report->analysis->finding != FINDING_NONE ? "Suspects"
							     : "May have been running");
	for (uint64_t i = 0; i < n; i++)
		print_suspect(report, i, buffer);
	html_print(report->out, "</tbody></table></div>\n");
	if (verdict->n_suspects > n)
		html_print(report->out, "<p class=\"note\">%ju more not listed.</p>\n",
			   (uintmax_t)(verdict->n_suspects - n));
	html_print(report->out, "</section>\n");
	free(buffer);
}
