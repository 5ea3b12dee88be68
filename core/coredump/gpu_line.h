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
	struct byte_span strings; /* .debug_str: names in version 5, and of inlined functions */
};

/* The most lines of one instruction: one of each inlined function, and the one in their caller. */
enum { GPU_LINES_MAX = 16 };

/* A source line. Strings point into the tables. */
struct gpu_line {
	const char *directory; /* "": unknown, or part of `file` */
	const char *file;
	/*
	 * Mangled name of the inlined function that the line belongs to; "": inlined, name unknown;
	 * NULL: not inlined, the line is that of the function which has the address.
	 */
	const char *inlined;
	uint32_t line;
};

/*
 * Find the line that covers `address` in tables of DWARF 2 to 5, and after it the lines that call
 * the inlined functions, outermost last. Return their number, at most `max`; 0 if no line does. If
 * the last one is inlined, its callers do not fit or are unknown. The tables are not trusted, and
 * nothing is allocated. Any thread. In gpu_lines.c.
 */
uint32_t gpu_lines_find(const struct gpu_line_tables *tables, uint64_t address,
			struct gpu_line *out, uint32_t max);

#endif
