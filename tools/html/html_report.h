/*
 * html_report.h - the report that a part of the page is about. Private to this folder, as are the
 * parts below: each writes one section, or nothing where there is nothing to say.
 */
#ifndef CULPRIT_TOOLS_HTML_REPORT_H
#define CULPRIT_TOOLS_HTML_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "bundle/analysis.h"
#include "timeline/timeline.h"

/* What a reader sees at once; everything else is behind it. */
enum { HTML_MAX_LANES = 64, HTML_NAME_SIZE = 16384, HTML_SHORT_SIZE = 160 };

struct html_report {
	FILE *out;
	unsigned number; /* in the page, from 1: ids begin with "r<number>-" */
	const struct analysis *analysis;
	const struct analysis_filter *filter; /* NULL: nothing is left out */
	const char *told;                     /* the report's words, NULL: those of its page */
	bool has_source[PAGE_MAX_PLACES];     /* lines around it are shown: html_sources_find */
	struct timeline timeline;
	size_t max_works; /* that the script gets to draw */
};

#endif
