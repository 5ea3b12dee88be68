/*
 * code_line.h - find the source line of an instruction of a kernel in a cubin, which was compiled
 * with -lineinfo or -G. The file is not trusted.
 */
#ifndef CULPRIT_TOOLS_CODE_LINE_H
#define CULPRIT_TOOLS_CODE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "coredump/byte_span.h"

enum { CODE_LINE_FILE = 1024 };

struct code_line {
	char file[CODE_LINE_FILE]; /* as compiled; "": not known */
	uint32_t line;
};

/* Find the line at `offset` of the kernel's code. False: not known. Thread-safe. */
bool code_line_find(struct byte_span cubin, const char *kernel, uint64_t offset,
		    struct code_line *out);

#endif
