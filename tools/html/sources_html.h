/*
 * sources_html.h - print the source lines around the code locations that the report names.
 */
#ifndef CULPRIT_TOOLS_SOURCES_HTML_H
#define CULPRIT_TOOLS_SOURCES_HTML_H

#include "html/html_report.h"

/* Find the locations whose source can be shown, and set has_source. */
void html_sources_find(struct html_report *report);

/* Print the section. */
void html_sources(const struct html_report *report);

/* Print the text that names code location `index`, as a link if its source is shown. */
void html_source_link(const struct html_report *report, uint32_t index, const char *words,
		      size_t length);

#endif
