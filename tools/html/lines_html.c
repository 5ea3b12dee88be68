/*
 * lines_html.c - print each line of the report as an element of class "line": its label, its text
 * and a link. A report that was saved as text only has its lines without links.
 */
#include "html/html_parts.h"

#include <string.h>

#include "report/report_page.h"

static void print_headline(const struct html_report *report)
{
	const char *text = report->told ? report->told : report_headline(report->analysis->page);
	html_print(report->out, "<p class=\"line\" data-id=\"headline\"><span class=\"text\">");
	html_add_foreign(report->out, text, strcspn(text, "\n"));
	html_print(report->out, "</span></p>\n");
}

static void print_stream_link(const struct html_report *report, uint32_t stream)
{
	size_t lane = html_lane_of(report, stream);
	if (lane < HTML_MAX_LANES)
		html_print(report->out, " <a class=\"to\" href=\"#r%u-lane%zu\">lane %zu</a>",
			   report->number, lane, lane + 1);
}

/* Print a link to the part of the page that the line is about. */
static void print_subject(const struct html_report *report, const struct page_line *line)
{
	const struct verdict *verdict = report->analysis->verdict;
	unsigned number = report->number;
	switch (line->subject) {
	case PAGE_OF_SUSPECT:
		html_print(report->out, " <a class=\"to\" href=\"#r%u-suspect%ju\">suspect</a>",
			   number, (uintmax_t)line->number);
		break;
	case PAGE_OF_NODE:
		if (html_graph_is_there(report))
			html_print(report->out, " <a class=\"to\" href=\"#r%u-graph\">graph</a>",
				   number);
		break;
	case PAGE_OF_ARGUMENT:
		if (report->analysis->page->arguments[line->number].place != PLACE_NONE)
			html_print(report->out,
				   " <a class=\"to\" href=\"#r%u-memory%ju\">memory</a>", number,
				   (uintmax_t)line->number);
		break;
	case PAGE_OF_EVIDENCE:
		print_stream_link(report, verdict->evidence[line->number].stream);
		break;
	case PAGE_OF_STREAM:
		print_stream_link(report, verdict->streams[line->number].stream);
		break;
	default:
		break;
	}
}

static void print_line(const struct html_report *report, const struct page_line *line)
{
	const char *label = page_label(line->id);
	html_print(report->out,
		   "<p class=\"line\" data-id=\"%s\"><span class=\"label\">%s</span><span "
		   "class=\"text\">",
		   page_id_label(line->id), label && line->is_first ? label : "");
	html_source_links(report, line, report->analysis->page->locations);
	html_print(report->out, "</span>");
	print_subject(report, line);
	html_print(report->out, "</p>\n");
}

/* Print the text that was saved during the run. Its lines have no labels or links. */
static void print_saved(const struct html_report *report)
{
	const char *at = report->told + strcspn(report->told, "\n");
	while (*at) {
		size_t length = strcspn(++at, "\n");
		if (length || at[length]) {
			html_print(report->out, "<p class=\"line told\" data-id=\"told\"><span "
						"class=\"text\">");
			html_add_foreign(report->out, at, length);
			html_print(report->out, "</span></p>\n");
		}
		at += length;
	}
	html_print(report->out,
		   "<p class=\"note\">This text was saved during the run; the bundle no longer "
		   "has all of its data.</p>\n");
}

/* Name each file whose symbols are missing, for example because it has changed since the run. */
static void print_missing_symbols(const struct html_report *report)
{
	struct analysis_module module;
	for (uint32_t place = 0; analysis_next_module(report->analysis, &place, &module);) {
		if (module.missed)
			html_print(report->out, "<p class=\"note\">%s: %s</p>\n", module.path,
				   module.missed);
	}
}

void html_lines(const struct html_report *report)
{
	const struct page *page = report->analysis->page;
	html_print(report->out, "<section class=\"lines\" aria-label=\"All lines\">\n");
	print_headline(report);
	if (report->told)
		print_saved(report);
	for (uint32_t i = 1; !report->told && i < page->n_lines; i++)
		print_line(report, &page->lines[i]);
	print_missing_symbols(report);
	html_print(report->out, "</section>\n");
}
