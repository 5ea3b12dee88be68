/*
 * dump_rows.h - print the rows of a bundle's tables.
 */
#ifndef CULPRIT_TOOLS_DUMP_ROWS_H
#define CULPRIT_TOOLS_DUMP_ROWS_H

#include <stdio.h>

#include "view/bundle_view.h"

/* Print a heading, then a line for each row of a table. Print nothing if there is no such table. */
void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind);

#endif
