/*
 * dump_text.h - print strings and times of a bundle.
 */
#ifndef CULPRIT_TOOLS_DUMP_TEXT_H
#define CULPRIT_TOOLS_DUMP_TEXT_H

#include <stdio.h>

#include "view/bundle_view.h"

/* Print a string in quotes, made safe for a terminal; "-" for ID 0. */
void dump_string(FILE *out, const struct bundle_view *view, uint32_t id);

/* Print " NAME=" and a time of CLOCK_MONOTONIC in seconds; "-" for 0. */
void dump_time(FILE *out, const char *name, uint64_t ns);

#endif
