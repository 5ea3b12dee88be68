/*
 * stored.h - the reports that a run stores in a bundle when it ends, while the program's files are
 * still those of the run. A bundle is untrusted input, so reading them checks everything.
 */
#ifndef CULPRIT_TOOLS_STORED_H
#define CULPRIT_TOOLS_STORED_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/settings.h"

/* Writes report.txt and report.json into the bundle. A report that does not fit is left out. */
void stored_write(const struct analysis *analysis);

/*
 * True if the bundle's stored report knows more than this analysis, because files of the program
 * were removed or replaced since. Prints a line that says so.
 */
bool stored_is_better(const struct analysis *analysis);

/* Prints the stored report. Returns 0, or -errno if none can be shown; nothing is written then. */
int stored_print_text(const struct bundle *bundle, enum report_length length, FILE *out);

/* Returns the stored JSON report (a new reference), with the bundle's present path, or NULL. */
json_t *stored_read_json(const struct bundle *bundle);

#endif
