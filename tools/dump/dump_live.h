/*
 * dump_live.h - print the rows that a running process keeps up to date: waits and snapshots.
 */
#ifndef CULPRIT_TOOLS_DUMP_LIVE_H
#define CULPRIT_TOOLS_DUMP_LIVE_H

#include <stdint.h>
#include <stdio.h>

#include "view/bundle_view.h"

/* Print an existing row of the tables "waits" and "looks", without its ID and newline. */
void dump_wait(FILE *out, const struct bundle_view *view, uint32_t id);
void dump_look(FILE *out, const struct bundle_view *view, uint32_t id);

#endif
