/*
 * dump_range.h - print an allocation.
 */
#ifndef CULPRIT_TOOLS_DUMP_RANGE_H
#define CULPRIT_TOOLS_DUMP_RANGE_H

#include <stdio.h>

#include "view/bundle_view.h"

/* Print row `id` of the table "ranges", without its ID and newline. */
void dump_range(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
