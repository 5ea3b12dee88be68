/*
 * print_arguments.h - print the arguments of a launch.
 */
#ifndef CULPRIT_TOOLS_PRINT_ARGUMENTS_H
#define CULPRIT_TOOLS_PRINT_ARGUMENTS_H

#include "base/text.h"
#include "print/printed_process.h"

/*
 * Append the arguments: "0x7f6c34808a00=#3+18432, 64, {32 bytes}". A pointer has the allocation
 * that it pointed into at the launch. A small structure has the pointers in it. If the parameters'
 * layout is not known, append "?". `arguments` has the bytes. Call it in the printer's thread only.
 */
void print_arguments(struct printed_process *process, const struct journal_record *record,
		     uint64_t batch, struct launch_arguments *arguments, struct text *out);

#endif
