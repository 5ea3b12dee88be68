/*
 * print_line.h - a launch in one line:
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
 * What an entry is to be told by, with its newline; nothing where it is no launch, or not of a
 * kernel that was chosen. The printer's thread only.
 */
void print_line(const struct print_choice *choice, const struct print_entry *entry,
		struct text *out);

#endif
