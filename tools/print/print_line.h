/*
 * print_line.h - print a launch in one line:
 *
 *   PID  #NUMBER  KERNEL<<<GRID,BLOCK>>>(ARGUMENTS)  stream HANDLE  FILE:LINE FUNCTION  [RANGES]
 */
#ifndef CULPRIT_TOOLS_PRINT_LINE_H
#define CULPRIT_TOOLS_PRINT_LINE_H

#include "base/text.h"
#include "print/print_choice.h"
#include "print/print_queue.h"
#include "print/printed_process.h"

/*
 * Append the line of an entry, with its newline. Append nothing if the entry is not a launch, or
 * its kernel was not chosen. Call it in the printer's thread only, in the order of each ring.
 */
void print_line(const struct print_choice *choice, const struct print_entry *entry,
		struct text *out);

#endif
