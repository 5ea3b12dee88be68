/*
 * dump_live.h - rows about what was going on when the journal was read.
 */
#ifndef CULPRIT_TOOLS_DUMP_LIVE_H
#define CULPRIT_TOOLS_DUMP_LIVE_H

#include <stdint.h>
#include <stdio.h>

#include "verdict/view/bundle_view.h"

/* A row of the tables "waits" and "looks", which exists, without its number and newline. */
void dump_wait(FILE *out, const struct bundle_view *view, uint32_t id);
void dump_look(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
