/*
 * dump_rows.h - the rows of a bundle as lines of text.
 */
#ifndef CULPRIT_TOOLS_DUMP_ROWS_H
#define CULPRIT_TOOLS_DUMP_ROWS_H

#include <stdio.h>

#include "bundle_view.h"

/* A heading, then one line for each row of a table; nothing for one that is absent. */
void dump_table(FILE *out, const struct bundle_view *view, enum journal_file kind);

/* The same for one ring, from its oldest record to its newest. */
void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot);

/* The string with this id in quotes, made harmless for a terminal; - for none. */
void dump_string(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
