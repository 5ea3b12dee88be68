/*
 * dump_rows.h - the rows of a bundle as lines of text.
 */
#ifndef CULPRIT_TOOLS_DUMP_ROWS_H
#define CULPRIT_TOOLS_DUMP_ROWS_H

#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* A heading, then one line for each row of a table; nothing for one that is absent. */
void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind);

#endif
