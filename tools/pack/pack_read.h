/*
 * pack_read.h - print the report in a pack.
 */
#ifndef CULPRIT_TOOLS_PACK_READ_H
#define CULPRIT_TOOLS_PACK_READ_H

#include <stdbool.h>
#include <stdio.h>

#include "command/exit_status.h"

/* True if `path` is a file and therefore not a bundle. */
bool pack_is_file(const char *path);

/* The full text is followed by the source lines. */
enum pack_view { PACK_AS_SHORT_TEXT, PACK_AS_TEXT, PACK_AS_JSON };

/*
 * Print the report of the pack at `path`. Return the
 * status that `culprit report` would have for the bundle, or EXIT_STATUS_BAD_BUNDLE after a message
 * if the file is not a pack, is damaged or is malicious.
 */
enum exit_status pack_print(const char *path, enum pack_view view, FILE *out);

#endif
