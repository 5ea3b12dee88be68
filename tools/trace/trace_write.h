/*
 * trace_write.h - the newest submissions of a bundle as a trace.
 */
#ifndef CULPRIT_TOOLS_TRACE_WRITE_H
#define CULPRIT_TOOLS_TRACE_WRITE_H

#include <stdio.h>

#include "bundle/analysis.h"

enum trace_format { TRACE_PERFETTO, TRACE_CHROME }; /* as in commands.def */

/* 0 or -ENOMEM; errors of the stream stay in it. */
int trace_write(const struct analysis *analysis, enum trace_format format, FILE *out);

#endif
