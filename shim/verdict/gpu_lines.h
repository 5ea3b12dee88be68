/*
 * gpu_lines.h - DWARF line tables, versions 2 to 5: the source line of an address. Nothing is
 * trusted and nothing allocated. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_LINES_H
#define CULPRIT_VERDICT_GPU_LINES_H

#include "byte_span.h"

/* Sections of one image; empty ones are absent. */
struct gpu_line_tables {
	struct byte_span lines;        /* .debug_line */
	struct byte_span line_strings; /* .debug_line_str: names of version 5 */
	struct byte_span strings;      /* .debug_str: the same */
};

/* Strings lie in the tables. */
struct gpu_line {
	const char *directory; /* "" unknown, or the file's name has it */
	const char *file;
	uint32_t line;
};

/* The line that covers `address`; false, and *out untouched, if none does. */
bool gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address, struct gpu_line *out);

#endif
