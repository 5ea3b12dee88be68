/*
 * redaction_rows.h - the journal's rows without what the program computed with and said.
 */
#ifndef CULPRIT_TOOLS_REDACTION_ROWS_H
#define CULPRIT_TOOLS_REDACTION_ROWS_H

#include "bundle/bundle_contents.h"

/*
 * Texts of NVTX ranges become "text 1", one number for one text; of kernels' arguments the
 * pointers to known memory stay, the others are no longer kept. 0 or -ENOMEM.
 */
int redaction_rows(struct bundle *bundle);

#endif
