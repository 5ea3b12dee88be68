/*
 * chrome.h - a trace sink that writes the JSON format of chrome://tracing, which Perfetto also
 * reads.
 */
#ifndef CULPRIT_TOOLS_CHROME_H
#define CULPRIT_TOOLS_CHROME_H

#include <stdio.h>

#include "analysis/analysis.h"
#include "trace/trace_event.h"

struct chrome;

/*
 * Write the head of the trace. Return NULL if out of memory; the caller releases the result with
 * chrome_close(). `analysis` and `out` must outlive it.
 */
struct chrome *chrome_open(const struct analysis *analysis, FILE *out);
struct trace_sink chrome_sink(struct chrome *chrome);

/* Write the end. Return 0, or -ENOMEM if something was left out; check `out` with ferror(). */
int chrome_close(struct chrome *chrome);

#endif
