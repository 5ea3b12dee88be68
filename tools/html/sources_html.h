/*
 * sources_html.h - the lines of source around the places that the report names.
 */
#ifndef CULPRIT_TOOLS_SOURCES_HTML_H
#define CULPRIT_TOOLS_SOURCES_HTML_H

#include "html/html_report.h"

/* Fills has_source. */
void html_sources_find(struct html_report *report);

void html_sources(const struct html_report *report);

/* The words that name place `index` of the page: as a link where its source is shown. */
void html_source_link(const struct html_report *report, uint32_t index, const char *words,
		      size_t length);

#endif
