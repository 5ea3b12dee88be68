/*
 * dump_range.h - a row of memory as text.
 */
#ifndef CULPRIT_TOOLS_DUMP_RANGE_H
#define CULPRIT_TOOLS_DUMP_RANGE_H

#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* Row `id` of ranges, behind its number and without the end of the line. */
void dump_range(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
