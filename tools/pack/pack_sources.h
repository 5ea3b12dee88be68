/*
 * pack_sources.h - the source lines around the code locations of a report.
 */
#ifndef CULPRIT_TOOLS_PACK_SOURCES_H
#define CULPRIT_TOOLS_PACK_SOURCES_H

#include <stdio.h>

#include "analysis/analysis.h"

/*
 * Print the lines around each location, after the name of the file. `filter` masks both, unless
 * NULL. source_excerpt.h says which files are read.
 */
void pack_sources_print(const struct analysis *analysis, const struct analysis_filter *filter,
			FILE *out);

#endif
