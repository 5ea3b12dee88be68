/*
 * gpu_line.h - the line tables of an image of GPU code, and a line of source that they tell.
 */
#ifndef CULPRIT_VERDICT_GPU_LINE_H
#define CULPRIT_VERDICT_GPU_LINE_H

#include "verdict/coredump/byte_span.h"

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

#endif
