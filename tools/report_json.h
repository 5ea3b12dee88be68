/*
 * report_json.h - the report as JSON. The schema, format 1 (members may be added, none change):
 *
 * {"culprit": version, "format": 1, "bundle": path,
 *  "verdict": "exact" | "likely" | "narrowed" | "unknown",
 *  "reason": why unknown, null otherwise; "advice": how to learn more, or null,
 *  "error": {"code", "name", "text"}, null without a failure,
 *  "n_suspects": number, "suspects": [SUSPECT] (at most 64, most suspect first),
 *  "observer": {"call", "thread", "stream", "stack", "submissions_later", "ms_later"} or null:
 *      the call that saw the error; how much later than the first suspect,
 *  "evidence": [{"kind", "text", "stream": id | null, "ordinal", "submission", "count", "call"}],
 *  "streams": [{"id", "label", "handle", "kind", "done", "submitted", "suspects", "lost",
 * "blocked", "started": {"n", "first", "last"}, "waiting": {"n", "first", "last"}}]: streams with
 *      unfinished work; done and submitted are ordinals, first and last submissions,
 *  "streams_unlisted": number,
 *  "afterwards": {"cleanups", "sticky"}: calls made harmless, calls that returned the error,
 *  "process": meta.json of the bundle, or null}
 *
 * SUSPECT: {"submission": number in the process, "kind": "launch" | "graph_launch" | "copy" |
 *  "memset" | "memop" | "host_func", "call": entry point, "name": as the text report has it,
 *  "kernel", "kernel_mangled": null unless it is a launch, "grid": [x, y, z], "block": [x, y, z],
 *  "cluster": [x, y, z] | null, "shared_bytes",
 *  "copy": {"destination", "source", "bytes"} | null, "graph": {"handle", "replay"} | null,
 *  "stream": {"id", "label", "handle", "kind", "ordinal"}, "context": {"id", "handle"} | null,
 *  "device": {"ordinal", "name"} | null, "thread": {"tid", "name"}, "time_ns": CLOCK_MONOTONIC,
 *  "result": what the call returned, null: it has not, "attributes": [word], "arguments":
 *  [ARGUMENT], "stack": [FRAME] innermost first}
 *
 * ARGUMENT: {"index", "offset", "size", "hex": bytes in memory order, "" if they were not kept,
 *  "allocation": null or {"state": "inside" | "freed" | "past", "number", "start", "offset": from
 *  its start, past the end from its end, "size", "call", "stack", "freed_call", "freed_after",
 *  "freed_stack"}}
 *
 * FRAME: {"function", "file", "line", "column": null if unknown, "inlined": into the next frame,
 *  "plumbing": of culprit, CUDA or the C library, "module", "offset": the return address in it,
 * "problem": why the module has no names, or null}
 *
 * Handles, addresses and offsets into modules are strings "0x...".
 */
#ifndef CULPRIT_TOOLS_REPORT_JSON_H
#define CULPRIT_TOOLS_REPORT_JSON_H

#include <jansson.h>

#include "analysis.h"

/* The whole report, or NULL without memory. */
json_t *report_to_json(const struct analysis *analysis);

/* Parts of it, for report_json.c. */
json_t *suspect_to_json(const struct analysis *analysis, const struct submission *suspect);
json_t *stack_to_json(const struct analysis *analysis, uint32_t stack);
json_t *thread_to_json(const struct analysis *analysis, uint32_t tid);

/* The place on a stream, counted from 1 for each stream of the application. */
json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal);

/* One of report.h's labels as a string. */
json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream);
const char *stream_kind_word(uint32_t kind);

#endif
