/*
 * sources_html.c - print each excerpt once, with the named line marked.
 */
#include "html/sources_html.h"

#include <stdlib.h>

#include "analysis/source_excerpt.h"
#include "html/html_print.h"

static void print_line(const struct html_report *report, const struct source_excerpt *excerpt,
		       const struct source_line *line)
{
	const char *before = line->number == excerpt->line ? "<mark>" : "";
	const char *after = *before ? "</mark>" : "";
	html_print(report->out, "<li><span class=\"number\">%u</span><code>", line->number);
	fputs(before, report->out);
	html_print(report->out, "%s", line->text);
	fputs(after, report->out);
	html_print(report->out, "</code></li>\n");
}

static void print_excerpt(const struct html_report *report, uint32_t index,
			  const struct source_excerpt *excerpt)
{
	html_print(report->out,
		   "<figure class=\"source\" id=\"r%u-source%u\"><figcaption>%s:%u</figcaption>\n",
		   report->number, index, excerpt->path, excerpt->line);
	if (excerpt->has_changed) {
		html_print(report->out, "<p class=\"note\">" SOURCE_HAS_CHANGED ".</p></figure>\n");
		return;
	}
	html_print(report->out, "<ol class=\"code\">\n");
	for (size_t i = 0; i < excerpt->n; i++)
		print_line(report, excerpt, &excerpt->lines[i]);
	html_print(report->out, "</ol></figure>\n");
}

void html_sources_find(struct html_report *report)
{
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	for (uint32_t i = 0; excerpt && i < report->analysis->page->n_places; i++)
		report->has_source[i] = source_excerpt_read(
			report->analysis, report->analysis->page, report->filter, i, excerpt);
	free(excerpt);
}

void html_sources(const struct html_report *report)
{
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	bool has_section = false;
	for (uint32_t i = 0; excerpt && i < report->analysis->page->n_places; i++) {
		if (!report->has_source[i] ||
		    !source_excerpt_read(report->analysis, report->analysis->page, report->filter,
					 i, excerpt))
			continue;
		if (!has_section)
			html_print(report->out, "<section><h2>Source</h2>\n");
		has_section = true;
		print_excerpt(report, i, excerpt);
	}
	if (has_section)
		html_print(report->out, "<p class=\"note\">Only files that have not changed since "
					"the process first "
					"used the GPU are shown.</p></section>\n");
	free(excerpt);
}

/* Return the first location of the same line, where its excerpt is. */
static uint32_t first_of(const struct page *page, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (source_places_are_same(&page->places[i], &page->places[index]))
			return i;
	return index;
}

void html_source_link(const struct html_report *report, uint32_t index, const char *words,
		      size_t length)
{
	uint32_t first = first_of(report->analysis->page, index);
	if (report->has_source[first])
		html_print(report->out, "<a href=\"#r%u-source%u\">", report->number, first);
	html_add_foreign(report->out, words, length);
	if (report->has_source[first])
		html_print(report->out, "</a>");
}
