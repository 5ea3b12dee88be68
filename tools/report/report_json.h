/*
 * report_json.h - the report as JSON, one object in one line for each bundle, however many there
 * are. The schema, format 2 (members may be added, none change):
 *
 * {"culprit": version, "format": 2, "bundle": absolute path, '?' for what is not UTF-8 in it,
 *  "stored": whether the end of the run made it, since files of the program are others now,
 *  "uri": of the bundle, which opens whatever its bytes are, null if it is gone,
 *  "time": TIME of the failure, null without one,
 *  "fingerprint": 16 digits that are the same for the same mistake, "fingerprint_of": what they are
 *      made of; null without a failure,
 *  "verdict": "exact" | "likely" | "narrowed" | "unknown", null without a failure,
 *  "line": "exact" | "likely" | null: how sure it is that the one line of the user's Python code
 *      that all suspects come from did it, whichever of them it was; null if there are several,
 *  "reason": why unknown, null otherwise, "advice": how to learn more, or null,
 *  "next": [{"kind": "markers_inline" | "coredumps" | "launch_blocking" | "more_records" |
 *      "rerun" | "doctor" | "read_bundle" | "check_gpu" | "shorter_kernel",
 *      "setting": of the environment of a rerun,
 *      or null, "value": for it, null: larger than it was}]: the same as a list, the best first,
 *  "error": {"code", "name", "text"}, null without a failure,
 *  "n_suspects": number, "suspects": [SUSPECT] (at most 64, most suspect first); without a failure
 *      those that may have been running at the end, the earliest first,
 *  "lead": "fit" | "kind" | "words" | "novel" | "begin" | "unusual": what puts the first suspect
 *      before those
 * of other groups, null if that is but their order, "groups": [GROUP]: all suspects by what they
 *      are and where they come from, in the order of their first ones, "ungrouped": how many
 *      suspects are of none of these,
 *  "unfinished": number of submissions that nothing showed to be finished, null with a failure,
 *  "told": the process's own report where it tells more than the bundle, which is then not whole,
 * or null, "observer": {"call", "thread": THREAD, "stream": id of the one that it was about, or
 * null, "stack": [FRAME], "python_stack": [PYTHON_FRAME], "submissions_later", "ms_later"} or null:
 *      the call that saw the error; how much later than the first suspect,
 *  "evidence": [{"kind", "text", "stream": id | null, "ordinal", "submission", "count", "call"}]:
 *      of the driver's own words of its progress "driver_begun" | "driver_stopped" (nothing behind
 *      it had begun) | "driver_ended" | "driver_order" | "driver_silent" (they
 *      cleared the others, without a sign of this one) | "driver_refused" (they were not used);
 *      "checkpoint": the process was restored from one; "shared_gpu": by MPS;
 *      of work that culprit did not see, where the verdict is "narrowed" at most: "bypassed" (the
 *      module with the path "call" calls the driver directly) | "unseen_work" (the driver notes it
 *      of its streams; "count": 512 a kernel between two launches, 1024 the newest submission of a
 *      stream, 2048 the kernels of a stream) | "all_cleared" (the evidence clears all work seen);
 *      of kernels whose code never comes to an assertion "code",
 *  "stack_check": {"checks", "unlike_full_walk", "unlike_other_unwinder", "first": id of the first
 *      stack that was wrong, or null}: how many stacks were walked again, and how many of them came
 *      out otherwise, null where none was,
 *  "no_room": {name of a file of the journal: how many of its rows found none} | null,
 *  "streams": [{"id", "label", "handle", "kind": "legacy" | "per_thread" | "explicit", "done",
 *      "submitted", "suspects", "lost", "blocked", "started": {"n", "first", "last"}, "waiting":
 *      {"n", "first", "last"}}]: those with unfinished work; done and submitted are ordinals, first
 *      and last are submissions,
 *  "streams_unlisted": number,
 *  "afterwards": {"cleanups", "sticky", "later_failure"}: calls made harmless, calls that returned
 *  the error, did a context that was still sound fail later,
 *  "refusals": [REFUSAL]: calls that the driver refused for a reason that is known,
 *  "coredump": {"file", "used": whether the verdict rests on it, "time": seconds since 1970 | null,
 *      "place": PLACE of the first suspect | null, "grids": [{"id", "kernel", "function",
 *      "context", "grid", "block", "place": PLACE}]: those with warps that faulted, "places":
 *      [PLACE]: where a warp that has gone faulted}, null without a GPU core dump,
 *  "lines": [LINE]: the text report, the headline first,
 *  "missed_symbols": [{"module", "problem": phrase}]: files whose debug information was not used,
 *      since they are other ones now, or took too long to read,
 *  "versions": {"driver": "12.4" | null, "runtimes": [{"module", "version"}]: of CUDA, "untried":
 *      [text]: of these, what culprit was never run with on a GPU},
 *  "process": PROCESS | null, "meta": meta.json of the bundle, or null,
 *  "job": JOB | null: what it is in its job, where several ranks of that are reported together}
 *
 * PROCESS: {"pid", "program", "command": [word], "directory": in which it was started, "parent":
 *  {"pid", "name"} | null, "host", "rank": {"rank", "local", "size": digits, of the innermost
 *  launcher, null without one, "variables": all that launchers had set, or null}, "start": when it
 *  first used the GPU, "end": "runs" | "exited" | "killed" | "gone": killed, or by _exit, "signal":
 *  that killed it, "end_time": TIME, "exit_status", both of the command of `culprit run` alone,
 *  "run": of `culprit run`}; null what is not known
 *
 * JOB: {"size": ranks, as its launcher says, digits | null, "n": processes that are reported,
 *  "role": "first" (it failed before all others) | "undecided" | "followed", "first": the rank that
 *  failed first, null: it is not known, "proven": whether that is more than the order in which
 *  failures were seen, null without a first, "known_by": [{"rank": of another one that failed,
 *  "by": "collectives" | "nccl" (it failed in a kernel that waits for its peers) | "clock" (seen
 *  before the other submitted its culprit) | "seen" (earlier, which proves nothing), "collectives":
 *  before the first's culprit, "other_collectives", "ms": between the two}], "ranks": [{"rank",
 *  "role": "first" | "undecided" | "followed", "host", "device", "headline", "collective":
 *  number of the first that is not known to be finished, of one without a failure,
 *  "collective_name", "bundle"}]: all of them by their numbers, [] of one that followed}; null what
 *  is not known
 *
 * SUSPECT: {"submission": number in the process, "kind": "launch" | "graph_launch" | "copy" |
 *  "memset" | "memop" | "host_func", "call": entry point, "name": as the text report has it,
 *  "kernel", "kernel_mangled", "grid": [x, y, z], "block": [x, y, z], "cluster": [x, y, z] | null,
 *  "shared_bytes": these are null unless it is a launch,
 *  "copy": {"destination", "source", "bytes"} | null, "graph": GRAPH | null,
 *  "stream": {"id", "label", "handle", "kind", "ordinal"}, "context": {"id", "handle"} | null,
 *  "device": {"ordinal", "name"} | null, "thread": THREAD, "time_ns": CLOCK_MONOTONIC,
 *  "time": TIME, "result": what the call returned, null: it has not, "attributes": [word],
 * "arguments": [ARGUMENT], "nvtx": [RANGE] outermost first, "nvtx_unkept": further ranges, not
 * recorded, "stack": [FRAME] innermost first, "python_stack": [PYTHON_FRAME] innermost first, [] of
 * a call that no Python code made}
 *
 * GROUP: {"n": how many suspects, "kind", "name": as of a suspect, "submission": the most suspect
 * of it, "earliest", "latest": the others lie between these, "stack": [FRAME], "python_stack":
 *  [PYTHON_FRAME]}
 *
 * REFUSAL: {"what": "launch" | "image" | "host memory", "code": CUresult, "call", "subject": the
 *  kernel, whose image, or the address, "why": with the numbers, and what to do, "rule": its id,
 *  "count": calls refused there with this code, of which the rest is the first, "time",
 *  "stack": [FRAME], "python_stack": [PYTHON_FRAME]}
 *
 * THREAD: {"tid", "name"}
 *
 * LINE: {"id": "headline" | "work" | "launched_from" | "through" | "generated_code" | "native" |
 *  "on_the_device" | "nvtx" | "nodes" | "node" | "arguments" | "unusual" | "producers" |
 *  "or_else" | "seen_by" | "evidence" | "in_flight" | "afterwards" | "refused" | "stacks" |
 * "no_room" | "next" | "process" | "bundle", "label": as the text report has it, null without one,
 * "text", "subject": "report" | "suspect" | "node" | "argument" | "evidence" | "stream" | "stack" |
 * "more": what the text speaks of, "number": its index in the list of these, of a stack its id, of
 * more how many are left out, "places": [CODE]}
 *
 * CODE: a place that a LINE names: {"begin", "length": which bytes of its text do so, "language":
 *  "python" | "host" | "device", "file", "line", "function", "module", "offset"}; null what is not
 *  known
 *
 * RANGE: an NVTX range that was open when the call was made: {"scope": "thread" | "process",
 * "text": up to 60 bytes, null: overwritten, "cut": it is longer, "domain": null for the default
 * one}
 *
 * GRAPH: {"handle", "replay", "node_verdict": "exact" | "likely" | "narrowed" | "unknown": of the
 *  claim that one of the candidates did it, supposed that the graph did, "n_nodes", "n_kernels":
 *  null where the nodes are not known, "n_finished": by their markers, "n_candidates",
 *  "candidates": [NODE] (at most 16, kernels first)}
 *
 * NODE: {"index": in the graph, from 0, nodes of child graphs included, "kind": as of a suspect,
 *  "origin": "captured" | "added" | "unseen", "copied": from another graph, which "stack" is of,
 *  "kernel", "kernel_mangled", "grid", "block", "shared_bytes": null unless it is a kernel,
 *  "arguments": [ARGUMENT], "stack": [FRAME], "python_stack": [PYTHON_FRAME]}
 *
 * ARGUMENT: {"index", "offset", "size", "hex": bytes in memory order, "" if they were not kept,
 *  "allocation": null or {"state": "inside" | "freed" | "reserved" | "past" | "before", "kind": in
 *  words, "device": its ordinal, null if unknown, "number", "start", "offset": from its start, past
 *  the end from its end, "size", "call", "stack": [FRAME], "python_stack": [PYTHON_FRAME],
 *  "freed_call", "freed_after", "freed_stack": [FRAME], "freed_python_stack": [PYTHON_FRAME]; null
 *  of one that was not freed}, "block": BLOCK | null}
 *
 * BLOCK: what PyTorch's pool had handed out there, where culprit.torch_memory has kept that:
 * {"state": "in_use" | "awaited" (by a stream) | "free" | "gone" (to the driver): when it was
 * asked, after the failure, "start", "offset": from its start, "size", "allocated": [POOL_FRAME],
 * "freed": [POOL_FRAME]; empty where it did not record its history}
 *
 * POOL_FRAME: {"file", "line": null if unknown, "function"}
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
 * TIME is a string of the machine's clock, "2026-11-22T15:09:36.123456Z", null where it is not
 * known. Handles, addresses and offsets into modules are strings "0x...".
 */
#ifndef CULPRIT_TOOLS_REPORT_JSON_H
#define CULPRIT_TOOLS_REPORT_JSON_H

#include <jansson.h>

#include "bundle/analysis.h"

enum { REPORT_JSON_FORMAT = 2 };

/* The whole report, or NULL without memory. */
json_t *report_to_json(const struct analysis *analysis);

#endif
