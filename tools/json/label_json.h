/*
 * label_json.h - names of streams, threads and work as JSON, as in the text report.
 */
#ifndef CULPRIT_TOOLS_LABEL_JSON_H
#define CULPRIT_TOOLS_LABEL_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

/* Return "stream 0x7f..". */
json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream);

/* Return "legacy", "per_thread" or "explicit". */
const char *stream_kind_word(uint32_t kind);

/* Return {"tid", "name"}. */
json_t *thread_to_json(const struct analysis *analysis, uint32_t tid);

/* Return the ordinal on a stream; each stream of the application counts from 1. */
json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal);

/* Return the full name of the submitted work. */
json_t *work_name_to_json(const struct analysis *analysis, const struct journal_record *record);

#endif
