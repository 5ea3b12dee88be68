/*
 * dump_records.h - print the records of a ring.
 */
#ifndef CULPRIT_TOOLS_DUMP_RECORDS_H
#define CULPRIT_TOOLS_DUMP_RECORDS_H

#include <stdio.h>

#include "view/bundle_view.h"

/* Print a heading, then a line for each record, oldest first. Print nothing if there is no ring. */
void dump_ring(FILE *out, const struct bundle_view *view, uint32_t slot);

#endif
