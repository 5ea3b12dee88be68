/*
 * print_frame.h - what is the same in the lines of launches of one kernel, shape, stream and place,
 * so that of each only the number and the arguments are put into words.
 */
#ifndef CULPRIT_TOOLS_PRINT_FRAME_H
#define CULPRIT_TOOLS_PRINT_FRAME_H

#include "print/print_choice.h"
#include "print/printed_process.h"

/*
 * Of a launch of a kernel its head, "KERNEL<<<GRID,BLOCK>>>(", which is empty where it was not
 * chosen; and the tail of every launch, "  stream HANDLE  FILE:LINE FUNCTION". Good until the next
 * call. The printer's thread only.
 */
const struct line_frame *print_frame_find(const struct print_choice *choice,
					  struct printed_process *process,
					  const struct journal_record *record);

#endif
