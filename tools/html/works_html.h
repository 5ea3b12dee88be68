/*
 * works_html.h - the submissions as numbers, for the script of the page that draws any part of
 * them. Without scripts they are not seen.
 */
#ifndef CULPRIT_TOOLS_WORKS_HTML_H
#define CULPRIT_TOOLS_WORKS_HTML_H

#include "html/html_report.h"
#include "html/lanes_html.h"

/* The newest max_works; `shown` is what the closer picture shows at first. */
void html_works(const struct html_report *report, const struct lanes_window *shown);

#endif
