/*
 * gpu_line.h - the line tables of an image of GPU code, and a source line from them.
 */
#ifndef CULPRIT_COREDUMP_GPU_LINE_H
#define CULPRIT_COREDUMP_GPU_LINE_H

#include "coredump/byte_span.h"

/* Sections of one image; an absent one is empty. */
struct gpu_line_tables {
	struct byte_span lines;        /* .debug_line */
	struct byte_span line_strings; /* .debug_line_str: names in version 5 */
	struct byte_span strings;      /* .debug_str: names in version 5 */
};

/* A source line. Strings point into the tables. */
struct gpu_line {
	const char *directory; /* "": unknown, or part of `file` */
	const char *file;
	uint32_t line;
};

/*
 * Find the line that covers `address` in tables of DWARF 2 to 5; false and *out unchanged if none
 * does. The tables are not trusted, and nothing is allocated. Any thread. In gpu_lines.c.
 */
bool gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address, struct gpu_line *out);

#endif
