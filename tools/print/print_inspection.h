/*
 * print_inspection.h - print what the memory of inspected launches held, in a few lines each:
 *
 *   PID  #NUMBER  KERNEL inspected  FILE:LINE FUNCTION
 *     PARAMETER: #ALLOCATION+OFFSET, BYTES as TYPE: ...
 */
#ifndef CULPRIT_TOOLS_PRINT_INSPECTION_H
#define CULPRIT_TOOLS_PRINT_INSPECTION_H

#include <stdio.h>

#include "numbers/values.h"
#include "print/printed_process.h"

/*
 * Print the inspections that the process has recorded since the last call: those of launches that
 * are already printed or, if `is_end`, all. Call it in the printer's thread only.
 */
void print_inspections(struct printed_process *process, enum value_type type, bool is_end,
		       FILE *out);

#endif
