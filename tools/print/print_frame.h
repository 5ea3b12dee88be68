/*
 * print_frame.h - cache what is the same in the lines of launches of one kernel, shape, stream and
 * location. Only the number and the arguments have to be formatted for each launch.
 */
#ifndef CULPRIT_TOOLS_PRINT_FRAME_H
#define CULPRIT_TOOLS_PRINT_FRAME_H

#include "print/print_choice.h"
#include "print/printed_process.h"

/*
 * Return the head of a kernel launch's line, "KERNEL<<<GRID,BLOCK>>>(", and the tail of any line,
 * "  stream HANDLE  FILE:LINE FUNCTION". The head is empty if the kernel was not chosen. The result
 * is valid until the next call. Call it in the printer's thread only.
 */
const struct line_frame *print_frame_find(const struct print_choice *choice,
					  struct printed_process *process,
					  const struct journal_record *record);

#endif
