/*
 * generated_notes.h - finds the origin of a line in a Python file that torch.compile wrote. The
 * compiler leaves the names of the source's values in comments, and with debugging options the
 * source's own lines.
 */
#ifndef CULPRIT_TOOLS_GENERATED_NOTES_H
#define CULPRIT_TOOLS_GENERATED_NOTES_H

#include <stddef.h>
#include <stdint.h>

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
