/*
 * sources_html.h - print the source lines around the code locations that the report names.
 */
#ifndef CULPRIT_TOOLS_SOURCES_HTML_H
#define CULPRIT_TOOLS_SOURCES_HTML_H

#include "html/html_report.h"

/* Find the locations whose source can be shown, and set has_source. */
void html_sources_find(struct html_report *report);

/*
 * Print the excerpt of a location, if its source is known and was not printed before. `label` says
 * what it is about; NULL: the report's own line.
 */
void html_source_show(struct html_report *report, const struct page_place *place,
		      const char *label);

/* Print the section with the excerpts that were not printed before. */
void html_sources(const struct html_report *report);

/* Print a line's text. Its places, which index `places`, are links if their source is shown. */
void html_source_links(const struct html_report *report, const struct page_line *line,
		       const struct page_place *places);

#endif
