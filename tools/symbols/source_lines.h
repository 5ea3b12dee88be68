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

/*
 * generated_notes.c: find the origin of a line in a Python file that torch.compile wrote. The
 * compiler leaves the names of the source's values in comments, and with debugging options the
 * source's own lines.
 */

enum { GENERATED_MAX_NOTES = 4, GENERATED_NOTE_SIZE = 320 };

/* The answer to the newest question. It is empty if zeroed, and owns nothing. */
struct generated_notes {
	char texts[GENERATED_MAX_NOTES][GENERATED_NOTE_SIZE]; /* cut with "..." */
	size_t n;
};

/*
 * Reads the file, which is untrusted, and fills `notes` with its comments about line `line` (from
 * 1). Finds nothing in a file that is missing, not regular, or huge.
 */
void generated_notes_read(struct generated_notes *notes, const char *path, uint32_t line);

#endif
