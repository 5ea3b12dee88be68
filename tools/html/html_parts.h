/*
 * html_parts.h - the report that a page shows, and the sections, which print one part each or
 * nothing if they have nothing to show. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_HTML_PARTS_H
#define CULPRIT_TOOLS_HTML_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "timeline/timeline.h"

/* Limits of what is drawn, and sizes of names in full and shortened. */
enum { HTML_MAX_LANES = 64, HTML_NAME_SIZE = 16384, HTML_SHORT_SIZE = 160 };

struct html_report {
	FILE *out;
	unsigned number; /* on the page, from 1: element IDs start with "r<number>-" */
	const struct analysis *analysis;
	const struct analysis_filter *filter; /* NULL: no source line is redacted */
	const char *told;                     /* a saved text report; NULL: use the analysis's */
	bool has_source[PAGE_MAX_LOCATIONS];  /* by code location: its source lines are shown */
	bool is_source_shown[PAGE_MAX_LOCATIONS]; /* below the headline */
	struct timeline timeline;
	size_t max_works; /* limit of submissions passed to the page's script */
};

/*
 * html_print.c: escape text for a page. Markup is only in format strings, which are culprit's own.
 * Names from outside are passed by %s and can never become markup.
 */

/*
 * Print as fprintf() does, but escape the strings of %s for text and for attributes in double
 * quotes, and make them printable as text_add_foreign() does. Conversions: %s %d %u %zu %ju %jx %%,
 * without widths.
 */
void html_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Print `size` bytes, escaped in the same way. */
void html_add_foreign(FILE *out, const char *bytes, size_t size);

/* brief_html.c: print the short report: the headline, the user's source, and rows. */

/* Print the headline, and what the short report says below it, unless the report is a saved text.
 */
void html_brief(struct html_report *report);

/* sources_html.c: print the source lines around the code locations that the report names. */

/* Find the locations whose source can be shown, and set has_source. */
void html_sources_find(struct html_report *report);

/*
 * Print the excerpt of a location, if its source is known and was not printed before. `label` says
 * what it is about; NULL: the report's own line.
 */
void html_source_show(struct html_report *report, const struct page_location *location,
		      const char *label);

/* Print the section with the excerpts that were not printed before. */
void html_sources(const struct html_report *report);

/* Print a line's text. Its places, which index `places`, are links if their source is shown. */
void html_source_links(const struct html_report *report, const struct page_line *line,
		       const struct page_location *locations);

/*
 * lines_html.c: print the lines of the text report, with links to the parts of the page they name.
 */

/* Print all lines of the full report. */
void html_lines(const struct html_report *report);

/* lanes_html.c: draw submissions on a lane for each stream, as SVG that needs no script. */

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
const char *html_suspect_label(const struct html_report *report);

/* Return the CSS class of a state: "s-finished", ... */
const char *html_state_class(enum timeline_state state);

/* timeline_html.c: draw a lane for each stream: all submissions, then those around the culprit. */

/* Print the section. */
void html_timeline(const struct html_report *report);

/* Return a stream's lane, from 0; HTML_MAX_LANES if it is not drawn. */
size_t html_lane_of(const struct html_report *report, uint32_t stream);

/*
 * works_html.c: print the submissions as hidden numbers, from which the page's script draws any
 * part of them. Without scripts they are not used.
 */

/* Print the newest max_works submissions; `shown` is what the close-up shows at first. */
void html_works(const struct html_report *report, const struct lanes_window *shown);

/* graph_html.c: draw the nodes of the CUDA graph that the first suspect launched. */

/* True if the first suspect is a graph launch whose nodes are recorded. */
bool html_graph_is_there(const struct html_report *report);

/* Print the section; nothing if html_graph_is_there() is false. */
void html_graph(const struct html_report *report);

/* Draw the memory around the first suspect's pointer arguments. */
void html_memory(const struct html_report *report);

/* Print the suspects, each with its full name, stream, thread and stack. */
void html_suspects(const struct html_report *report);

/* Print the threads that used the GPU, and the last call of each. */
void html_threads(const struct html_report *report);

/*
 * page_assets.c: the page's style and script, built in from page.css and page.js, and their
 * hashes. The page's Content-Security-Policy names the hashes, so that no other style or script
 * runs.
 */

#define PAGE_STYLE_HASH  "sha256-7tvTV69mXW9171w6D2vTOctQza6TWQO+hYg77iuYcEY="
#define PAGE_SCRIPT_HASH "sha256-BV/Gs9JneB742+iUHzpU8KiggOjJaGP+QSVtwgA9o0k="

extern const char page_style[];
extern const size_t page_style_size;
extern const char page_script[];
extern const size_t page_script_size;

#endif
