/*
 * redaction_meta.h - meta.json without what tells of the user.
 */
#ifndef CULPRIT_TOOLS_REDACTION_META_H
#define CULPRIT_TOOLS_REDACTION_META_H

#include <jansson.h>

#include "bundle/analysis.h"

/* A new object, or NULL without memory: of members that are not known, only their names stay. */
json_t *redaction_meta(const struct analysis_filter *filter, json_t *meta);

#endif
