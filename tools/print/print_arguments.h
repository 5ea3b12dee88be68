/*
 * print_arguments.h - the parameters of a launch in a few words each.
 */
#ifndef CULPRIT_TOOLS_PRINT_ARGUMENTS_H
#define CULPRIT_TOOLS_PRINT_ARGUMENTS_H

#include "base/text.h"
#include "print/printed_process.h"

/*
 * "0x7f6c34808a00=#3+18432, 64, {32 bytes}": a pointer with the allocation that it points into, as
 * that was at the launch; a number; a structure, of a small one with its pointers. "?" where the
 * layout is not known. `arguments` has its bytes, and gets the rest. The printer's thread only.
 */
void print_arguments(struct printed_process *process, const struct journal_record *record,
		     uint64_t batch, struct launch_arguments *arguments, struct text *out);

#endif
