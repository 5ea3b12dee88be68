/*
 * perfetto.h - a trace sink that writes Perfetto's protobuf format. Each name, text and stack is
 * written once and then referred to by number.
 */
#ifndef CULPRIT_TOOLS_PERFETTO_H
#define CULPRIT_TOOLS_PERFETTO_H

#include <stdio.h>

#include "analysis/analysis.h"
#include "trace/trace_event.h"

struct perfetto;

/*
 * Write the head of the trace. Return NULL if out of memory; the caller releases the result with
 * perfetto_close(). `analysis` and `out` must outlive it.
 */
struct perfetto *perfetto_open(const struct analysis *analysis, FILE *out);
struct trace_sink perfetto_sink(struct perfetto *perfetto);

/* Return 0, or -ENOMEM if something was left out; check `out` with ferror(). */
int perfetto_close(struct perfetto *perfetto);

#endif
