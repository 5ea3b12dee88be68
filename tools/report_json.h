/*
 * report_json.h - the report as JSON. The schema, format 1 (members may be added, none change):
 *
 * {"culprit": version, "format": 1, "bundle": path,
 *  "verdict": "exact" | "likely" | "narrowed" | "unknown",
 *  "reason": why unknown, null otherwise; "advice": how to learn more, or null,
 *  "error": {"code", "name", "text"}, null without a failure,
 *  "n_suspects": number, "suspects": [SUSPECT] (at most 64, most suspect first),
 *  "observer": {"call", "thread", "stream", "stack", "python_stack", "submissions_later",
 *      "ms_later"} or null: the call that saw the error; how much later than the first suspect,
 *  "evidence": [{"kind", "text", "stream": id | null, "ordinal", "submission", "count", "call"}],
 *  "streams": [{"id", "label", "handle", "kind", "done", "submitted", "suspects", "lost",
 * "blocked", "started": {"n", "first", "last"}, "waiting": {"n", "first", "last"}}]: streams with
 *      unfinished work; done and submitted are ordinals, first and last submissions,
 *  "streams_unlisted": number,
 *  "afterwards": {"cleanups", "sticky"}: calls made harmless, calls that returned the error,
 *  "coredump": {"file", "used": whether the verdict rests on it, "time": seconds since 1970 | null,
 *      "place": PLACE of the first suspect | null, "grids": [{"id", "kernel", "function",
 *      "context", "grid", "block", "place": PLACE}]: those with warps that faulted, "places":
 *      [PLACE]: where a warp that has gone faulted}, null without a GPU core dump,
 *  "process": meta.json of the bundle, or null}
 *
 * SUSPECT: {"submission": number in the process, "kind": "launch" | "graph_launch" | "copy" |
 *  "memset" | "memop" | "host_func", "call": entry point, "name": as the text report has it,
 *  "kernel", "kernel_mangled": null unless it is a launch, "grid": [x, y, z], "block": [x, y, z],
 *  "cluster": [x, y, z] | null, "shared_bytes",
 *  "copy": {"destination", "source", "bytes"} | null, "graph": GRAPH | null,
 *  "stream": {"id", "label", "handle", "kind", "ordinal"}, "context": {"id", "handle"} | null,
 *  "device": {"ordinal", "name"} | null, "thread": {"tid", "name"}, "time_ns": CLOCK_MONOTONIC,
 *  "result": what the call returned, null: it has not, "attributes": [word], "arguments":
 *  [ARGUMENT], "nvtx": [RANGE] outermost first, "nvtx_unkept": further ranges, not recorded,
 *  "stack": [FRAME] innermost first,
 *  "python_stack": [PYTHON_FRAME] innermost first, [] of a call that no Python code made}
 *
 * RANGE: an NVTX range that was open when the call was made: {"scope": "thread" | "process",
 * "text": up to 60 bytes, null: overwritten, "cut": it is longer, "domain": null for the default
 * one}
 *
 * GRAPH: {"handle", "replay", "node_verdict": "exact" | "narrowed" | "unknown": of the claim that
 *  one of the candidates did it, supposed that the graph did; "n_nodes", "n_kernels": null where
 *  the nodes are not known, "n_candidates", "candidates": [NODE] (at most 16, kernels first)}
 *
 * NODE: {"index": in the graph, from 0, nodes of child graphs included, "kind": as of a SUSPECT,
 *  "origin": "captured" | "added" | "unseen", "copied": from another graph, which "stack" is of,
 *  "kernel", "kernel_mangled", "grid", "block", "shared_bytes": null unless it is a kernel,
 *  "arguments": [ARGUMENT], "stack": [FRAME], "python_stack": [PYTHON_FRAME]}
 *
 * ARGUMENT: {"index", "offset", "size", "hex": bytes in memory order, "" if they were not kept,
 *  "allocation": null or {"state": "inside" | "freed" | "past", "number", "start", "offset": from
 *  its start, past the end from its end, "size", "call", "stack", "python_stack", "freed_call",
 *  "freed_after", "freed_stack", "freed_python_stack"}}
 *
 * FRAME: {"function", "file", "line", "column": null if unknown, "inlined": into the next frame,
 *  "plumbing": of culprit, CUDA or the C library, "interpreter": of Python itself, "module",
 *  "build_id": hexadecimal, "offset": the return address in it, "problem": why the module has no
 *  names, or null}
 *
 * PYTHON_FRAME: {"function": its qualified name, "file", "line": null if unknown, "first_line": of
 *  the function, "origin": "user" | "library" (installed packages, the standard library) |
 *  "generated" (by torch.compile), "package": of a library, or null, "notes": [what the comments of
 *  a generated file say about the line's source], "problem": null, or why the last one, which is no
 *  frame, stands for callers that are not known}
 *
 * PLACE: {"exception": phrase, "pc", "function": mangled, "directory", "file", "line", "block": [x,
 * y, z], "thread": [x, y, z]}; null what is not known
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
json_t *nvtx_to_json(const struct analysis *analysis, const struct submission *suspect);
json_t *coredump_to_json(const struct analysis *analysis);
json_t *graph_to_json(const struct analysis *analysis, const struct journal_record *record);
/* Frees what was read; NULL, as out of memory: none. */
json_t *arguments_to_json(const struct analysis *analysis, struct launch_arguments *arguments);
json_t *dimensions_to_json(uint32_t x, uint32_t y, uint32_t z);
json_t *stack_to_json(const struct analysis *analysis, uint32_t stack);
json_t *python_stack_to_json(const struct analysis *analysis, uint32_t stack);
json_t *thread_to_json(const struct analysis *analysis, uint32_t tid);

/* The place on a stream, counted from 1 for each stream of the application. */
json_t *ordinal_to_json(const struct analysis *analysis, uint32_t stream, uint64_t ordinal);

/* One of report.h's labels as a string. */
json_t *stream_label_to_json(const struct analysis *analysis, uint32_t stream);
const char *stream_kind_word(uint32_t kind);

#endif
