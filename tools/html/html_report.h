/*
 * html_report.h - the report that the sections of a page are about. Private to this folder, as are
 * the sections: each prints one part of the page, or nothing if it has nothing to show.
 */
#ifndef CULPRIT_TOOLS_HTML_REPORT_H
#define CULPRIT_TOOLS_HTML_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "timeline/timeline.h"

/* Limits of what is drawn, and sizes of names in full and shortened. */
enum { HTML_MAX_LANES = 64, HTML_NAME_SIZE = 16384, HTML_SHORT_SIZE = 160 };

struct html_report {
	FILE *out;
	unsigned number; /* on the page, from 1: element IDs start with "r<number>-" */
	const struct analysis *analysis;
	const struct analysis_filter *filter;  /* NULL: no source line is redacted */
	const char *told;                      /* a saved text report; NULL: use the analysis's */
	bool has_source[PAGE_MAX_PLACES];      /* by code location: its source lines are shown */
	bool is_source_shown[PAGE_MAX_PLACES]; /* below the headline */
	struct timeline timeline;
	size_t max_works; /* limit of submissions passed to the page's script */
};

#endif
