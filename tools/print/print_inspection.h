/*
 * print_inspection.h - what was seen of the memory of chosen launches, in a few lines each:
 *
 *   PID  #NUMBER  KERNEL inspected  FILE:LINE FUNCTION
 *     PARAMETER: #ALLOCATION+OFFSET, BYTES as TYPE: ...
 */
#ifndef CULPRIT_TOOLS_PRINT_INSPECTION_H
#define CULPRIT_TOOLS_PRINT_INSPECTION_H

#include <stdio.h>

#include "print/printed_process.h"
#include "print/values.h"

/*
 * Writes what the process has written down since the last call, of launches that were
 * printed, or with `is_end` of all. The printer's thread only.
 */
void print_inspections(struct printed_process *process, enum value_type type, bool is_end,
		       FILE *out);

#endif
