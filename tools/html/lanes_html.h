/*
 * lanes_html.h - one picture of lanes, as SVG that needs no script.
 */
#ifndef CULPRIT_TOOLS_LANES_HTML_H
#define CULPRIT_TOOLS_LANES_HTML_H

#include "html/html_report.h"

/* Submissions first to last, which are indexes in the timeline's works, from left to right. */
struct lanes_window {
	size_t first;
	size_t last;
	bool is_merged; /* neighbours of one lane and state are one box */
};

/* Nothing is drawn of an empty timeline. `id` is the picture's, behind the report's prefix. */
void html_lanes(const struct html_report *report, const struct lanes_window *window, const char *id,
		const char *title);

/* "culprit" where one launch is named, "suspect", or what it is without a failure. */
const char *html_suspect_word(const struct html_report *report);

/* "s-finished", ...: the class of what is drawn in this state. */
const char *html_state_class(enum timeline_state state);

#endif
