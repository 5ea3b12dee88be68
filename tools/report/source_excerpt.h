/*
 * source_excerpt.h - the lines of source around a place that a report names, as they were at the
 * failure.
 */
#ifndef CULPRIT_TOOLS_SOURCE_EXCERPT_H
#define CULPRIT_TOOLS_SOURCE_EXCERPT_H

#include <limits.h>

#include "bundle/analysis.h"

enum { EXCERPT_MAX_LINES = 16, EXCERPT_TEXT_SIZE = 4096 };

struct source_line {
	uint32_t number; /* from 1 */
	char text[EXCERPT_TEXT_SIZE];
};

/* Too big for a stack that is not the program's first. */
struct source_excerpt {
	char path[PATH_MAX];
	uint32_t line; /* the one that the place names */
	size_t n;
	struct source_line lines[EXCERPT_MAX_LINES];
};

/*
 * The lines around place `index` of the page into *out; `filter` goes over them, NULL: as they are.
 * False: another place before it is the same, or there are none to show. They are shown only of
 * files that look like source, have not changed since the failure, and of bundles of this user's:
 * somebody else's may name any file of this machine.
 */
bool source_excerpt_read(const struct analysis *analysis, const struct analysis_filter *filter,
			 uint32_t index, struct source_excerpt *out);

/* Do two places of a page name the same line of the same file? */
bool source_places_are_same(const struct page_place *a, const struct page_place *b);

#endif
