/*
 * dump_check.h - print rows of checked memory.
 */
#ifndef CULPRIT_TOOLS_DUMP_CHECK_H
#define CULPRIT_TOOLS_DUMP_CHECK_H

#include <stdint.h>
#include <stdio.h>

#include "view/bundle_view.h"

/* Print the row after its kind and id, without the end of the line. */
void dump_check(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
