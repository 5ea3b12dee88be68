/*
 * hang_text.h - the report about a hung process.
 */
#ifndef CULPRIT_TOOLS_HANG_TEXT_H
#define CULPRIT_TOOLS_HANG_TEXT_H

#include <stdio.h>

#include "attribution/hang_claim.h"
#include "hang/hang_rows.h"

/*
 * Fill *out with the stuck streams of the process. The first is the first one that waits for no
 * other stream; it is to blame. Returns false if no stream is stuck.
 */
bool hang_claim_make(struct hang_rows *rows, const struct process_status *status,
		     struct hang_claim *out);

/*
 * Print "culprit: hung — exact: launch #233, spin at train.c:48 [pid 4242]", then the status of the
 * process, whose analysis is of a hang. All stuck streams of the process are marked as reported.
 */
void hang_print(struct hang_rows *rows, const struct process_status *status, FILE *out);

/* Store the text in the bundle at `path`, if that is a directory. */
void hang_keep_text(const char *path, const char *text, size_t size);

#endif
