/*
 * source_excerpt.h - source lines around a code location of a report, as they were when the process
 * first used the GPU.
 */
#ifndef CULPRIT_TOOLS_SOURCE_EXCERPT_H
#define CULPRIT_TOOLS_SOURCE_EXCERPT_H

#include <limits.h>

#include "analysis/analysis.h"

enum { EXCERPT_MAX_LINES = 16, EXCERPT_TEXT_SIZE = 4096 };

#define SOURCE_HAS_CHANGED "the file has changed since the process first used the GPU"

struct source_line {
	uint32_t number; /* from 1 */
	char text[EXCERPT_TEXT_SIZE];
};

/* Too large for the stack of any thread but the main one. */
struct source_excerpt {
	char path[PATH_MAX];
	uint32_t line;    /* the line of the location itself */
	bool has_changed; /* the file changed after the first use of the GPU: it has no lines */
	size_t n;
	struct source_line lines[EXCERPT_MAX_LINES];
};

/*
 * Read the lines around location `index` of a page (the analysis's, full or short) into *out,
 * masked by `filter` unless NULL. Return false if an earlier location is the same line or if there
 * is nothing to show. A file is read only if it looks like source and has not changed since the
 * process first used the GPU. The bundle must belong to this user, because another user's bundle
 * may name any file of this machine.
 */
bool source_excerpt_read(const struct analysis *analysis, const struct page *page,
			 const struct analysis_filter *filter, uint32_t index,
			 struct source_excerpt *out);

/* True if two locations of a page name the same line of the same file. */
bool source_locations_are_same(const struct page_location *a, const struct page_location *b);

#endif
