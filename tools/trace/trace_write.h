/*
 * trace_write.h - write a bundle's newest submissions as a trace.
 */
#ifndef CULPRIT_TOOLS_TRACE_WRITE_H
#define CULPRIT_TOOLS_TRACE_WRITE_H

#include <stdio.h>

#include "analysis/analysis.h"

enum trace_format { TRACE_PERFETTO, TRACE_CHROME }; /* in the order of commands.def */

/* Write the trace. Return 0 or -ENOMEM; check `out` with ferror(). */
int trace_write(const struct analysis *analysis, enum trace_format format, FILE *out);

#endif
