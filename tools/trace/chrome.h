/*
 * chrome.h - a sink that writes the JSON that chrome://tracing reads, and Perfetto still does.
 */
#ifndef CULPRIT_TOOLS_CHROME_H
#define CULPRIT_TOOLS_CHROME_H

#include <stdio.h>

#include "bundle/analysis.h"
#include "trace/trace_event.h"

struct chrome;

/* Writes the head of the trace. NULL: out of memory. `analysis` and `out` must outlive it. */
struct chrome *chrome_open(const struct analysis *analysis, FILE *out);
struct trace_sink chrome_sink(struct chrome *chrome);

/* Writes the end. 0; -ENOMEM: something was left out. Whether all was written, `out` tells. */
int chrome_close(struct chrome *chrome);

#endif
