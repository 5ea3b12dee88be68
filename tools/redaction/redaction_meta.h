/*
 * redaction_meta.h - remove private information from meta.json.
 */
#ifndef CULPRIT_TOOLS_REDACTION_META_H
#define CULPRIT_TOOLS_REDACTION_META_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return a redacted copy, or NULL if out of memory. Values of unknown members are left out. */
json_t *redaction_meta(const struct analysis_filter *filter, json_t *meta);

#endif
