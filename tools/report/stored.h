/*
 * stored.h - the reports that the end of a run writes into a bundle for later, made while the
 * program's files are still those of the run. Reading them trusts nothing: a bundle is anybody's.
 */
#ifndef CULPRIT_TOOLS_STORED_H
#define CULPRIT_TOOLS_STORED_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/analysis.h"

/* Writes report.txt and report.json into the bundle; what finds no room there is left out. */
void stored_write(const struct analysis *analysis);

/*
 * Has the bundle a report of its own that knows more than this analysis, since files of the program
 * are gone, or others by now? Told in a line.
 */
bool stored_is_better(const struct analysis *analysis);

/* The stored report. 0, or -errno: there is none that can be shown, and nothing was written. */
int stored_print_text(const struct bundle *bundle, FILE *out);

/* The same as JSON, a new reference, with the bundle's path of now; NULL: there is none. */
json_t *stored_read_json(const struct bundle *bundle);

#endif
