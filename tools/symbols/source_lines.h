/*
 * source_lines.h - the lines of a source file around one of its lines.
 */
#ifndef CULPRIT_TOOLS_SOURCE_LINES_H
#define CULPRIT_TOOLS_SOURCE_LINES_H

#include <stddef.h>
#include <stdint.h>

enum {
	SOURCE_LINES_AROUND = 3,
	SOURCE_MAX_LINES = 2 * SOURCE_LINES_AROUND + 1,
	SOURCE_WIDTH = 240
};

/* It is empty if zeroed, and owns nothing. */
struct source_lines {
	uint32_t first; /* number of the first line, from 1 */
	size_t n;
	char texts[SOURCE_MAX_LINES][SOURCE_WIDTH]; /* cut */
};

/*
 * Reads the lines around `line` from the file, which is untrusted. Finds nothing in a file that is
 * missing, not regular, huge, too short, or was changed after `newest` (ns since 1970).
 */
void source_lines_read(struct source_lines *lines, const char *path, uint32_t line,
		       uint64_t newest);

#endif
