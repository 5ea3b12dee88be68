/*
 * redaction_rows.h - remove the program's data and NVTX texts from the journal's rows.
 */
#ifndef CULPRIT_TOOLS_REDACTION_ROWS_H
#define CULPRIT_TOOLS_REDACTION_ROWS_H

#include "bundle/bundle_contents.h"

/*
 * Replace each distinct NVTX text by "text 1", "text 2" and so on, and remove all kernel arguments
 * that are not pointers to known memory. Return 0 or -ENOMEM.
 */
int redaction_rows(struct bundle *bundle);

#endif
