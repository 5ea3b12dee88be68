/*
 * json_parts.h - the parts of a report as JSON. report_json.h has their schema. All functions
 * return a new reference, or NULL if out of memory.
 */
#ifndef CULPRIT_TOOLS_JSON_PARTS_H
#define CULPRIT_TOOLS_JSON_PARTS_H

#include <jansson.h>

#include "analysis/analysis.h"
#include "memory/memory_blocks.h"
#include "report/page.h"

/* suspect_json.c: suspects and groups of suspects as JSON. */

/* Return a SUSPECT of report_json.h. */
json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect);

/* Return an array of GROUP: every group that the verdict lists. */
json_t *suspect_groups_to_json(const struct analysis *analysis);

/* argument_json.c: the arguments of a launch as JSON. */

/* Return the arguments as an array of ARGUMENT, which is empty unless the work is a kernel. */
json_t *arguments_to_json(const struct analysis *analysis, const struct submission *suspect);
json_t *node_arguments_to_json(const struct analysis *analysis, const struct graph_node_row *node);

/* Return BLOCK with the offset of `address` in it, or null if `block` is NULL. */
json_t *block_to_json(const struct memory_block *block, uint64_t address);

/* stack_json.c: native and Python stacks as JSON. */

/* Return arrays of FRAME and of PYTHON_FRAME, innermost first. */
json_t *stack_to_json(const struct analysis *analysis, uint32_t stack);
json_t *python_stack_to_json(const struct analysis *analysis, uint32_t stack);

/* Return the graph that `record` launched as GRAPH, or null for other kinds of work. */
json_t *graph_to_json(const struct analysis *analysis, const struct journal_record *record);

/* Return an object with the members "nvtx" and "nvtx_unkept" of a SUSPECT. */
json_t *nvtx_to_json(const struct analysis *analysis, const struct submission *suspect);

/* label_json.c: names of streams, threads and work as JSON, as in the text report. */

/* Return "stream 0x7f..". */
json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream);

/* Return "legacy", "per_thread" or "explicit". */
const char *label_stream_kind(uint32_t kind);

/* Return {"tid", "name"}. */
json_t *thread_to_json(const struct analysis *analysis, uint32_t tid);

/* Return the ordinal on a stream; each stream of the application counts from 1. */
json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal);

/* Return the full name of the submitted work. */
json_t *work_name_to_json(const struct analysis *analysis, const struct journal_record *record);

/* process_json.c: the bundle's process as JSON. */

/* Return PROCESS of report_json.h: null if unknown. */
json_t *process_to_json(const struct analysis *analysis);

/* Convert a time of the process's CLOCK_MONOTONIC to wall-clock TIME; null if unknown. */
json_t *process_moment_to_json(const struct analysis *analysis, uint64_t monotonic_ns);

/* page_json.c: the lines of a report as JSON. */

/* Return all lines as an array of LINE. */
json_t *page_to_json(const struct page *page);

/* Return the text of the first line with this id, or null. */
json_t *page_labels_to_json(const struct page *page, enum page_id id);

/*
 * rows_json.c: tables of the journal as JSON: calls that the driver refused, and what it said of
 * the fault.
 */

/* Return an array of REFUSAL of report_json.h. */
json_t *rows_rejections_to_json(const struct analysis *analysis);

/* Return the object "fault", null if the driver said nothing. */
json_t *rows_fault_to_json(const struct analysis *analysis);

/* nan_json.c: return FIRST_NAN, or null if checks found no NaN. */
json_t *nan_to_json(const struct analysis *analysis);

/* Return the report's "coredump" member: null if there is no core dump. */
json_t *coredump_to_json(const struct analysis *analysis);

/* Return the report's "versions" member. */
json_t *versions_to_json(const struct analysis *analysis);

#endif
