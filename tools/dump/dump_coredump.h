/*
 * dump_coredump.h - print the tables of a GPU core dump.
 */
#ifndef CULPRIT_TOOLS_DUMP_COREDUMP_H
#define CULPRIT_TOOLS_DUMP_COREDUMP_H

#include <stdio.h>

#include "bundle/coredump.h"

/*
 * Print one line for each device, context, grid, SM with an exception, warp, and fault. Function
 * names are demangled.
 */
void dump_coredump(FILE *out, const struct coredump *coredump);

#endif
