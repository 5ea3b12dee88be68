/*
 * pack_read.h - the report that a pack holds.
 */
#ifndef CULPRIT_TOOLS_PACK_READ_H
#define CULPRIT_TOOLS_PACK_READ_H

#include <stdbool.h>
#include <stdio.h>

#include "command/exit_status.h"

/* Is there a file, which a bundle cannot be? */
bool pack_is_file(const char *path);

/*
 * Prints the report of the pack at `path`, and, as text, the source lines. The status that a report
 * of its bundle would have had; _BAD_BUNDLE, told in one line: it is no pack, or one that nobody of
 * good will made.
 */
enum exit_status pack_print(const char *path, bool is_json, FILE *out);

#endif
