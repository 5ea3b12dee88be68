/*
 * lanes_html.h - draw submissions on a lane for each stream, as SVG that needs no script.
 */
#ifndef CULPRIT_TOOLS_LANES_HTML_H
#define CULPRIT_TOOLS_LANES_HTML_H

#include "html/html_report.h"

/* The submissions to draw from left to right: indexes in the timeline's works, `last` included. */
struct lanes_window {
	size_t first;
	size_t last;
	bool is_merged; /* draw neighbours in the same lane and state as one box */
};

/* Draw a window; nothing if the timeline is empty. The picture's element ID is "r<number>-<id>". */
void html_lanes(const struct html_report *report, const struct lanes_window *window, const char *id,
		const char *title);

/* Return "culprit" if one launch is named, else "suspect"; without a failure "may have been
 * running". */
const char *html_suspect_word(const struct html_report *report);

/* Return the CSS class of a state: "s-finished", ... */
const char *html_state_class(enum timeline_state state);

#endif
