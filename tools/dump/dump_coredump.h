/*
 * dump_coredump.h - the tables of a GPU core dump as lines of text.
 */
#ifndef CULPRIT_TOOLS_DUMP_COREDUMP_H
#define CULPRIT_TOOLS_DUMP_COREDUMP_H

#include <stdio.h>

#include "bundle/coredump.h"

/*
 * One line for each device, context, grid, SM with an exception, and warp or lane at fault; the
 * rest is counted. Names of code are demangled.
 */
void dump_coredump(FILE *out, const struct coredump *coredump);

#endif
