/*
 * sources_html.c - print each excerpt once, with the named line marked.
 */
#include "html/html_parts.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/source_excerpt.h"

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
			  const struct source_excerpt *excerpt, const char *label)
{
	html_print(report->out,
		   "<figure class=\"source\" id=\"r%u-source%u\"><figcaption>%s%s%s:%u"
		   "</figcaption>\n",
		   report->number, index, label ? label : "", label ? " at " : "", excerpt->path,
		   excerpt->line);
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
	for (uint32_t i = 0; excerpt && i < report->analysis->page->n_locations; i++)
		report->has_source[i] = source_excerpt_read(
			report->analysis, report->analysis->page, report->filter, i, excerpt);
	free(excerpt);
}

void html_sources(const struct html_report *report)
{
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	bool has_section = false;
	for (uint32_t i = 0; excerpt && i < report->analysis->page->n_locations; i++) {
		if (!report->has_source[i] || report->is_source_shown[i] ||
		    !source_excerpt_read(report->analysis, report->analysis->page, report->filter,
					 i, excerpt))
			continue;
		if (!has_section)
			html_print(report->out, "<section><h2>Source</h2>\n");
		has_section = true;
		print_excerpt(report, i, excerpt, NULL);
	}
	if (has_section)
		html_print(report->out, "<p class=\"note\">Only files that have not changed since "
					"the process first "
					"used the GPU are shown.</p></section>\n");
	free(excerpt);
}

/* Return the first location of the same line, where its excerpt is; PAGE_MAX_LOCATIONS: none. */
static uint32_t find_first(const struct page *page, const struct page_location *location)
{
	for (uint32_t i = 0; i < page->n_locations; i++)
		if (source_locations_are_same(&page->locations[i], location))
			return i;
	return PAGE_MAX_LOCATIONS;
}

static bool has_source(const struct html_report *report, uint32_t index)
{
	return index < PAGE_MAX_LOCATIONS && report->has_source[index];
}

void html_source_show(struct html_report *report, const struct page_location *location,
		      const char *label)
{
	const struct analysis *analysis = report->analysis;
	uint32_t index = find_first(analysis->page, location);
	struct source_excerpt *excerpt = malloc(sizeof(*excerpt));
	if (excerpt && has_source(report, index) && !report->is_source_shown[index] &&
	    source_excerpt_read(analysis, analysis->page, report->filter, index, excerpt)) {
		print_excerpt(report, index, excerpt, label);
		report->is_source_shown[index] = true;
	}
	free(excerpt);
}

static void print_link(const struct html_report *report, const struct page_location *location,
		       const char *words, size_t length)
{
	uint32_t first = find_first(report->analysis->page, location);
	bool is_link = has_source(report, first);
	if (is_link)
		html_print(report->out, "<a href=\"#r%u-source%u\">", report->number, first);
	html_add_foreign(report->out, words, length);
	if (is_link)
		html_print(report->out, "</a>");
}

void html_source_links(const struct html_report *report, const struct page_line *line,
		       const struct page_location *locations)
{
	size_t length = strlen(line->text);
	size_t at = 0;
	for (uint32_t i = 0; i < line->n_locations; i++) {
		const struct page_location *location = &locations[line->first_place + i];
		size_t begin = location->begin;
		if (begin < at || begin > length || location->length > length - begin)
			continue;
		html_add_foreign(report->out, line->text + at, begin - at);
		print_link(report, location, line->text + begin, location->length);
		at = begin + location->length;
	}
	html_add_foreign(report->out, line->text + at, length - at);
}
