/*
 * timeline_html.h - draw a lane for each stream: all submissions, then those around the culprit.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_HTML_H
#define CULPRIT_TOOLS_TIMELINE_HTML_H

#include "html/html_report.h"

/* Print the section. */
void html_timeline(const struct html_report *report);

/* Return a stream's lane, from 0; HTML_MAX_LANES if it is not drawn. */
size_t html_lane_of(const struct html_report *report, uint32_t stream);

#endif
