/*
 * timeline_html.h - the lanes of the streams: all submissions, and closer those around the culprit.
 */
#ifndef CULPRIT_TOOLS_TIMELINE_HTML_H
#define CULPRIT_TOOLS_TIMELINE_HTML_H

#include "html/html_report.h"

void html_timeline(const struct html_report *report);

/* The lane of a stream, from 0; HTML_MAX_LANES: it is not drawn. */
size_t html_lane_of(const struct html_report *report, uint32_t stream);

#endif
