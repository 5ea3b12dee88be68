/*
 * label_json.h - streams, threads and work as JSON, as the text report calls them.
 */
#ifndef CULPRIT_TOOLS_LABEL_JSON_H
#define CULPRIT_TOOLS_LABEL_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

/* "stream 0x7f.." */
json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream);

/* "legacy", "per_thread", "explicit" */
const char *stream_kind_word(uint32_t kind);

/* {"tid", "name"} */
json_t *thread_to_json(const struct analysis *analysis, uint32_t tid);

/* The place on a stream, counted from 1 for each stream of the application. */
json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal);

/* What was submitted, in full. */
json_t *work_name_to_json(const struct analysis *analysis, const struct journal_record *record);

#endif
