/*
 * redaction_parts.h - the two halves of a redaction. Private to this folder.
 */
#ifndef CULPRIT_TOOLS_REDACTION_PARTS_H
#define CULPRIT_TOOLS_REDACTION_PARTS_H

#include <jansson.h>

#include "analysis/analysis.h"
#include "bundle/bundle_contents.h"

/*
 * Replace each distinct NVTX text by "text 1", "text 2" and so on, and remove all kernel arguments
 * that are not pointers to known memory. Return 0 or -ENOMEM.
 */
int redaction_rows(struct bundle *bundle);

/* Return a redacted copy of meta.json, or NULL if out of memory. Unknown members are left out. */
json_t *redaction_meta(const struct analysis_filter *filter, json_t *meta);

#endif
