/*
 * dump_records.h - the records of a ring as lines of text.
 */
#ifndef CULPRIT_TOOLS_DUMP_RECORDS_H
#define CULPRIT_TOOLS_DUMP_RECORDS_H

#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* A heading, then one line for each record, from the oldest to the newest; nothing for a ring that
 * is absent. */
void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot);

#endif
