/*
 * hang_text.h - what is said of a process that hangs.
 */
#ifndef CULPRIT_TOOLS_HANG_TEXT_H
#define CULPRIT_TOOLS_HANG_TEXT_H

#include <stdio.h>

#include "hang/hang_rows.h"

/*
 * "culprit: hung — exact: launch #233, spin at train.c:48 [pid 4242]" of the first stuck stream
 * that waits for no other one, then the status of the process. Its stuck streams are told from then
 * on.
 */
void hang_print(struct hang_rows *rows, const struct process_status *status, FILE *out);

/* Keeps the text in the bundle at `path`, if it is one. */
void hang_keep_text(const char *path, const char *text, size_t size);

#endif
