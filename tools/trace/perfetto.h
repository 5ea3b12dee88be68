/*
 * perfetto.h - a sink that writes Perfetto's protobuf format. Names, texts and stacks are written
 * once each, and referred to by numbers from then on.
 */
#ifndef CULPRIT_TOOLS_PERFETTO_H
#define CULPRIT_TOOLS_PERFETTO_H

#include <stdio.h>

#include "bundle/analysis.h"
#include "trace/trace_event.h"

struct perfetto;

/* Writes the head of the trace. NULL: out of memory. `analysis` and `out` must outlive it. */
struct perfetto *perfetto_open(const struct analysis *analysis, FILE *out);
struct trace_sink perfetto_sink(struct perfetto *perfetto);

/* 0; -ENOMEM: something was left out. Whether all was written, `out` tells. */
int perfetto_close(struct perfetto *perfetto);

#endif
