/*
 * pack_sources.h - the lines of source around the places that a report names.
 */
#ifndef CULPRIT_TOOLS_PACK_SOURCES_H
#define CULPRIT_TOOLS_PACK_SOURCES_H

#include <stdio.h>

#include "bundle/analysis.h"

/*
 * Writes them, each file's behind its name; `filter` goes over both, NULL: as they are. Of which
 * files: see source_excerpt.h.
 */
void pack_sources_print(const struct analysis *analysis, const struct analysis_filter *filter,
			FILE *out);

#endif
