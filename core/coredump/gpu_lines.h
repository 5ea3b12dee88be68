/*
 * gpu_lines.h - finds the source line of an address in DWARF line tables, versions 2 to 5. The
 * tables are not trusted, and nothing is allocated. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_LINES_H
#define CULPRIT_VERDICT_GPU_LINES_H

#include "coredump/gpu_line.h"

/* Find the line that covers `address`; false and *out unchanged if none does. */
bool gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address, struct gpu_line *out);

#endif
