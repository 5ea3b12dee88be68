/*
 * hang_text.h - the report about a hung process.
 */
#ifndef CULPRIT_TOOLS_HANG_TEXT_H
#define CULPRIT_TOOLS_HANG_TEXT_H

#include <stdio.h>

#include "hang/hang_rows.h"

/*
 * Print "culprit: hung — exact: launch #233, spin at train.c:48 [pid 4242]", then the status of the
 * process. The headline names the first stuck stream that waits for no other stream. All stuck
 * streams of the process are marked as reported.
 */
void hang_print(struct hang_rows *rows, const struct process_status *status, FILE *out);

/* Store the text in the bundle at `path`, if that is a directory. */
void hang_keep_text(const char *path, const char *text, size_t size);

#endif
