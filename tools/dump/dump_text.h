/*
 * dump_text.h - strings and times of a bundle as text.
 */
#ifndef CULPRIT_TOOLS_DUMP_TEXT_H
#define CULPRIT_TOOLS_DUMP_TEXT_H

#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* The string with this id in quotes, made harmless for a terminal; - for none. */
void dump_string(FILE *out, const struct bundle_view *view, uint32_t id);

/* " NAME=" and a time of CLOCK_MONOTONIC in seconds, or - for 0. */
void dump_time(FILE *out, const char *name, uint64_t ns);

#endif
