/*
 * brief_html.c - print the short report. The source of the user's line comes before the rows, and
 * the sources of the other lines after them.
 */
#include "html/html_parts.h"

#include <string.h>

#include "brief/brief_page.h"
#include "report/report_labels.h"

static const char *verdict_class(const struct html_report *report)
{
	return report->analysis->finding != FINDING_NONE
		       ? report_verdict_label(report->analysis->verdict->class)
		       : "none";
}

static void print_part(const struct html_report *report, enum page_id id)
{
	const struct page_line *line = page_find_line(report->analysis->brief, id);
	if (!line)
		return;
	html_print(report->out, " <span class=\"%s\">", page_id_label(id));
	html_add_foreign(report->out, line->text, strlen(line->text));
	html_print(report->out, "</span>");
}

static void print_headline(const struct html_report *report)
{
	html_print(report->out, "<h1 class=\"headline %s\">", verdict_class(report));
	if (report->told) {
		html_print(report->out, "<span class=\"title\">");
		html_add_foreign(report->out, report->told, strcspn(report->told, "\n"));
		html_print(report->out, "</span>");
	} else {
		print_part(report, PAGE_TITLE);
		print_part(report, PAGE_CERTAINTY);
		print_part(report, PAGE_ERROR);
	}
	html_print(report->out, "</h1>\n");
}

/* Print a line with its label, which is `label` if it has none of its own. */
static void print_line(const struct html_report *report, const struct page_line *line,
		       const char *label)
{
	const struct page *brief = report->analysis->brief;
	const char *own = page_label(line->id);
	html_print(report->out,
		   "<p class=\"line\" data-brief=\"%s\"><span class=\"label\">%s</span>"
		   "<span class=\"text\">",
		   page_id_label(line->id), own && line->is_first ? own : label);
	html_source_links(report, line, brief->locations);
	html_print(report->out, "</span></p>\n");
}

static void print_row(const struct html_report *report, enum page_id id, const char *label)
{
	const struct page_line *line = page_find_line(report->analysis->brief, id);
	if (line)
		print_line(report, line, label);
}

/* Print the sources of the places that these lines name, as far as they are known. */
static void print_sources(struct html_report *report, enum page_id id)
{
	const struct page *brief = report->analysis->brief;
	for (uint32_t i = 0; i < brief->n_lines; i++) {
		const struct page_line *line = &brief->lines[i];
		if (line->id == id && line->n_locations)
			html_source_show(report, &brief->locations[line->first_place],
					 page_label(id));
	}
}

void html_brief(struct html_report *report)
{
	static const enum page_id others[] = {PAGE_MOST_LIKELY, PAGE_ALSO, PAGE_CAPTURED,
					      PAGE_FREED, PAGE_ALLOCATED};
	const struct page *brief = report->analysis->brief;
	print_headline(report);
	if (report->told)
		return;
	html_print(report->out, "<section class=\"lines\" aria-label=\"The report\">\n");
	print_row(report, PAGE_AT, "at");
	print_sources(report, PAGE_AT);
	print_row(report, PAGE_SUBMITTED, "");
	for (uint32_t i = 0; i < brief->n_lines; i++)
		if (page_label(brief->lines[i].id))
			print_line(report, &brief->lines[i], "");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		print_sources(report, others[i]);
	html_print(report->out, "</section>\n");
}
