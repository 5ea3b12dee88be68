/*
 * gpu_lines.h - DWARF line tables, versions 2 to 5: the source line of an address. Nothing is
 * trusted and nothing allocated. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_LINES_H
#define CULPRIT_VERDICT_GPU_LINES_H

#include "verdict/coredump/gpu_line.h"

/* The line that covers `address`; false, and *out untouched, if none does. */
bool gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address, struct gpu_line *out);

#endif
