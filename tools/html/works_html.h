/*
 * works_html.h - print the submissions as hidden numbers, from which the page's script draws any
 * part of them. Without scripts they are not used.
 */
#ifndef CULPRIT_TOOLS_WORKS_HTML_H
#define CULPRIT_TOOLS_WORKS_HTML_H

#include "html/html_report.h"
#include "html/lanes_html.h"

/* Print the newest max_works submissions; `shown` is what the close-up shows at first. */
void html_works(const struct html_report *report, const struct lanes_window *shown);

#endif
