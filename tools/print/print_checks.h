/*
 * print_checks.h - print what checks on the GPU found: the memory of inspected launches, in the
 * same lines as print_inspection.c, and where a NaN began.
 */
#ifndef CULPRIT_TOOLS_PRINT_CHECKS_H
#define CULPRIT_TOOLS_PRINT_CHECKS_H

#include <stdio.h>

#include "print/printed_process.h"

/*
 * Print the checks of inspected launches that the process has recorded since the last call: those
 * of launches that are already printed or, if `is_end`, all. Call it in the printer's thread only.
 */
void print_checks(struct printed_process *process, bool is_end, FILE *out);

/* Print in which launch a NaN began, or that no checked launch had one. At the end only. */
void print_checks_nan(struct printed_process *process, FILE *out);

#endif
