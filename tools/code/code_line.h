/*
 * code_line.h - find the source line of an instruction of a kernel in a cubin, which was compiled
 * with -lineinfo or -G, and the functions inlined there. The file is not trusted.
 */
#ifndef CULPRIT_TOOLS_CODE_LINE_H
#define CULPRIT_TOOLS_CODE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "coredump/byte_span.h"
#include "coredump/gpu_line.h"

/*
 * Lines as gpu_lines_find() has them, with copies of their strings. Files have their whole paths,
 * and no directory. Release with code_line_free.
 */
struct code_line {
	uint32_t n; /* 0: not known */
	struct gpu_line lines[GPU_LINES_MAX];
	char *strings; /* NULL: none */
	size_t size;   /* of all strings with their NULs */
};

/*
 * Find the lines at `offset` of the kernel's code. Overlong paths are cut, and overlong names of
 * functions are unknown. False, and *out is empty: not known, or no memory. Thread-safe.
 */
bool code_line_find(struct byte_span cubin, const char *kernel, uint64_t offset,
		    struct code_line *out);

/* Drop the lines from *line that *other does not have; none are left if the innermost differ. */
void code_line_narrow(struct code_line *line, const struct code_line *other);

/* Free the strings and make it empty. */
void code_line_free(struct code_line *line);

#endif
