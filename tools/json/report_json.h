/*
 * report_json.h - the report as JSON: one object per bundle, each on a line of its own. This is
 * the schema, format 2. Later versions may add members; existing members do not change.
 *
 * {"culprit": version, "format": 2, "bundle": absolute path, '?' in place of bytes that are not
 *  UTF-8,
 *  "stored": whether this is the report stored at the end of the run, shown because files of the
 *      program have changed since,
 *  "uri": file URI of the bundle, which keeps every byte of the path, null if the path is unknown,
 *  "time": TIME of the failure, null without one,
 *  "fingerprint": 16 hexadecimal digits, equal for failures and hangs with the same cause,
 *  "fingerprint_of": the text that they are a hash of; both are null without a verdict,
 *  "verdict": "exact" | "likely" | "narrowed" | "unknown", null if there is neither a failure nor a
 *      hang,
 *  "line": "exact" | "likely" | null: set if all suspects were launched from one line of the user's
 *      Python code; says how sure it is that the failure came from that line,
 *  "reason": why the verdict is unknown, null otherwise, "advice": how to learn more, or null,
 *  "next": [{"kind": "markers_inline" | "coredumps" | "launch_blocking" | "more_records" |
 *      "rerun" | "doctor" | "read_bundle" | "check_gpu" | "shorter_kernel",
 *      "setting": environment variable to set for a rerun, or null,
 *      "value": its value, null: a larger one than in this run}]: the advice as a list, best first,
 *  "finding": "failure" | "hang" | "refusal" (the program failed after a call that the driver
 *      refused, such as an allocation) | "unfinished" (the process ended with work unfinished, in a
 *      run that did not succeed) | null: what the report is about,
 *  "error": {"code", "name", "text"}: of the failure or of the refused call, or null,
 *  "hang": {"ns": for how long the first suspect had made no progress, "streams": [STAND]: the
 *      streams that made none, the suspect's first} | null: work that hung, as `culprit run --hang`
 *      saw it,
 *  "started": {"ns": from the launch of the first to the last snapshot, "later": submissions after
 *      the snapshot, "streams": [STAND]: their earliest unfinished submissions, which had started}
 *      | null: what the last snapshot showed of a process that ended with work unfinished,
 *  "n_suspects": number, "suspects": [SUSPECT] (at most 64, most suspect first); without a verdict,
 *      the unfinished submission that can have been running at the end, if there is only one,
 *  "lead": "fault" | "markers" | "kind" | "trap" | "words" | "novel" | "begin" | "unusual": why the
 *      first suspect ranks above the other groups, null if only by submission order,
 *  "groups": [GROUP]: all suspects, grouped by kind of work and stack, in the order of each group's
 *      first suspect, "ungrouped": number of suspects that are in none of the listed groups,
 *  "unfinished": number of submissions not known to be finished, null with a failure,
 *  "told": the report that the process printed itself, if the bundle is incomplete and that report
 *      says more, or null,
 *  "observer": {"call", "thread": THREAD, "stream": id of the stream that the call was about, or
 *      null, "stack": [FRAME], "python_stack": [PYTHON_FRAME], "submissions_later", "ms_later": the
 *      distance from the first suspect} or null: the call that returned the error,
 *  "evidence": [{"kind", "text", "stream": id | null, "ordinal", "submission", "count", "call"}].
 *      Kinds that rest on the driver's progress counters: "driver_begun" | "driver_stopped"
 *      (nothing after it had started) | "driver_ended" | "driver_order" | "driver_silent" (the
 *      counters cleared the others and do not confirm this one) | "driver_refused" (the counters
 *      were not used). Kinds about work that culprit did not see, with a verdict of at most
 *      narrowed: "bypassed" (the module with the path "call" calls the driver directly;
 *      without "call" the heap has addresses of its functions) |
 *      "unseen_work" (the driver recorded such work; "count" is a sum: 512 a kernel between two
 *      launches, 1024 the newest submission of a stream, 2048 the kernels of a stream) |
 *      "all_cleared" (the evidence clears all work that was seen). "checkpoint": the process was
 *      restored from a checkpoint. "shared_gpu": MPS shares the GPU. "checks": a check of
 *      culprit's own may have failed instead. "code": kernels whose code cannot reach an
 *      assertion. "fault_code" | "fault_nearest" | "fault_refused": the program counter of the
 *      fault is in the code of the kernel "call" (null: in several kernels), or may be, or
 *      contradicts the rest. "fault_page": copies that touch none of the pages that faulted, and
 *      kernels that started after the fault ("fault_time"),
 *  "stack_check": {"checks", "unlike_full_walk", "unlike_other_unwinder", "first": id of the first
 *      wrong stack, or null}: how many stacks were walked a second time and how many of the walks
 *      differed, null if no stack was checked,
 *  "no_room": {name of a journal file: number of rows that did not fit} | null,
 *  "streams": [{"id", "label", "handle", "kind": "legacy" | "per_thread" | "explicit", "done",
 *      "submitted", "suspects", "lost", "blocked", "started": {"n", "first", "last"}, "waiting":
 *      {"n", "first", "last"}}]: streams with unfinished work; done and submitted are ordinals,
 *      first and last are submissions,
 *  "streams_unlisted": number of further streams with unfinished work,
 *  "afterwards": {"cleanups", "sticky", "later_failure"}: calls made harmless, calls that returned
 *      the error, whether another context failed later,
 *  "refusals": [REFUSAL]: calls that the driver refused for a known reason,
 *  "fault": {"events": SOURCE | null: nvidia-uvm's events, "states": SOURCE | null: the SMs' states
 *      that the driver read, "mmu_list": SOURCE | null, "times": SOURCE | null, "faults": [FAULT],
 * "what": "memory" | "misaligned" | "invalid_address" | "local_memory" | "shared_memory" |
 * "stack_overflow" | "exception" | null: the first fault, "text": what it was in words | null,
 * "instruction": INSTRUCTION | null: the one at which the GPU stopped,
 * "relation": "nowhere" | "inside" | "freed" | "freed_in_flight" | "after" | "before" | null: where
 * its address is by known memory, "distance": in bytes | null, "allocation": its number | null,
 * "argument": FAULT_ARGUMENT | null: of the first suspect, which the address most likely came
 * from}: what the driver said of the fault, null if it said nothing. A source with count 0 was in
 * use and had no fault; null says nothing, "first_nan": FIRST_NAN | null: with `--nan`, the
 * kernel in which a NaN began; a hint, no verdict rests on it, "coredump": {"file", "used": whether
 * the verdict rests on it, "time": seconds since 1970 | null, "place": PLACE of the first suspect |
 * null, "grids":
 * [{"id", "kernel", "function", "context", "grid", "block", "place": PLACE}]: grids with faulted
 * warps, "places": [PLACE]: faults of warps that have left the GPU since}, null without a GPU core
 * dump, "lines": [LINE]: the full text report, headline first, "summary": the short text
 *  report, "missed_symbols": [{"module", "problem":
 * phrase}]: files whose debug information was not used because they have changed or took too long
 * to read, "versions": {"driver": "12.4" | null, "runtimes": [{"module", "version"}]: CUDA
 * runtimes, "untried": [text]: those of these versions that culprit was not tested with on a GPU},
 *  "hardware": HARDWARE | null: what NVML said about the GPUs that the process used, null if it was
 *      not asked or could not answer,
 *  "process": PROCESS | null, "meta": meta.json of the bundle, or null,
 *  "job": JOB | null: the process's part in its job, if several ranks are reported together}
 *
 * HARDWARE: {"format": 1, "driver": version of the driver | null, "watched_ns": CLOCK_MONOTONIC
 * since which events were watched, null if they were not, "watch_ended_ns": when that ended early |
 * null, "gpus": [GPU], "events": [{"kind": "xid" | "double_bit_ecc" | "retirement" |
 *  "retirement_failed" | "poison" | "fatal_poison" | "unavailable" | "recovery_action" |
 * "operational", "xid": its number | null, "gpu": index of the GPU, "instance": GPU instance of a
 * MIG device | null, "ns": CLOCK_MONOTONIC, "module", "code", "category", "severity": of a GPU
 * operational event, else null}], "events_lost": number of further events, "points_to": "program" |
 * "driver" (or its firmware, or the hardware) | "hardware" | null: the strongest indication}
 *
 * GPU: {"index": as in nvidia-smi, "uuid", "pci": bus ID; both are null in a redacted report,
 * "name", "mig": [{"uuid", "instance"}]: the MIG devices that were used | null: it is not divided,
 *  "events": whether Xids were watched: "known" (they were) | "none" | "not_supported" |
 *  "no_permission" | "lost" | "failed", "event_kinds": [kind]: those that were watched, "before":
 * READING | null, "after": READING | null: after the run}
 *
 * READING: numbers; in place of one "not_supported", "no_permission", "lost" (the driver cannot
 * reach the GPU), "failed" or "none" (not asked): {"ns": CLOCK_MONOTONIC, "ecc_corrected",
 *  "ecc_uncorrected": errors since the driver was loaded, "rows_remapped_corrected",
 *  "rows_remapped_uncorrected", "rows_pending", "rows_failed", "pages_retired", "pages_pending",
 *  "nvlink_crc_flit", "nvlink_crc_data", "nvlink_replay", "nvlink_recovery", "clock_reasons": bits
 *  of NVML, "clock_sm_mhz", "clock_sm_max_mhz", "clock_memory_mhz", "recovery_action": number of
 *  NVML}
 *
 * STAND: {"submission": earliest unfinished one of a stream, "state": "runs" | "may_run" | "event"
 * | "legacy" | "host_func" | "value" | "queue": why it is unfinished, "proven": whether each
 * snapshot proved that, "source": submission that it waits for | null}
 *
 * PROCESS: null where a value is unknown.
 * {"pid", "program", "command": [word], "directory": working directory at the start,
 *  "parent": {"pid", "name"} | null, "host", "rank": {"rank", "local", "size": digits, as the
 *  innermost launcher set them, null without one, "variables": all launchers' variables, or null},
 *  "start": first use of the GPU, "end": "runs" | "exited" | "killed" | "gone" (killed, or left by
 *  _exit), "signal": the one that killed it, "end_time": TIME, "exit_status": this and the signal
 *  are known only for the command of `culprit run`, "run": id of `culprit run`}
 *
 * JOB: null where a value is unknown.
 * {"size": number of ranks by the launcher, digits | null, "n": number of reported processes,
 *  "role": "first" (it failed before all others) | "undecided" | "followed", "first": the rank that
 *  failed first, null if unknown, "proven": whether this rests on more than the order in which the
 *  failures were seen, null without a first rank, "known_by": [{"rank": another rank that failed,
 *  "by": "collectives" | "nccl" (it failed in a kernel that waits for its peers) | "clock" (the
 *  first rank's failure was seen before this rank submitted its culprit) | "seen" (the first rank's
 *  failure was seen earlier, which is no proof), "collectives": completed before the first rank's
 *  culprit, "other_collectives", "ms": time between the two}], "ranks": [{"rank", "role": "first" |
 *  "undecided" | "followed", "host", "device", "headline", "collective": number of the first
 *  collective that is not known to be finished, if the rank has no failure, "collective_name",
 *  "bundle"}]: all ranks in order, [] if this one followed. In a job of more than 64 processes only
 *  the first rank's report has the lists "known_by" and "ranks"; others have their own rank's part}
 *
 * SUSPECT: one submission, described in full:
 * {"submission": number in the process, "kind": "launch" | "graph_launch" | "copy" | "memset" |
 *  "memop" | "host_func", "call": entry point, "name": as in the text report,
 *  "kernel", "kernel_mangled", "grid": [x, y, z], "block": [x, y, z], "cluster": [x, y, z] | null,
 *  "shared_bytes": null unless it is a launch, as are the five members before,
 *  "copy": {"destination", "source", "bytes"} | null, "graph": GRAPH | null,
 *  "stream": {"id", "label", "handle", "kind", "ordinal"}, "context": {"id", "handle"} | null,
 *  "device": {"ordinal", "name"} | null, "thread": THREAD, "time_ns": CLOCK_MONOTONIC,
 *  "time": TIME, "result": the call's return value, null if it has not returned, "attributes":
 *  [word], "arguments": [ARGUMENT], "nvtx": [RANGE] outermost first, "nvtx_unkept": number of
 *  further ranges, which were not recorded, "stack": [FRAME] innermost first,
 *  "python_stack": [PYTHON_FRAME] innermost first, [] if no Python code made the call}
 *
 * GROUP: {"n": number of suspects, "kind", "name": as of a suspect, "submission": the group's most
 *  suspect submission, "earliest", "latest": its first and last submissions, "stack": [FRAME],
 *  "python_stack": [PYTHON_FRAME]}
 *
 * SOURCE: {"count": all faults, events or SMs with an exception, "lost": those that are not listed,
 *  "late": whether work was submitted before the events were enabled, "mmu": whether the states say
 *  that the MMU faulted, "global_esr": raw, of SMs without an exception, "time": TIME of reading}
 *
 * INSTRUCTION: {"access": "read" | "write" | "atomic", "bytes": of one thread}
 *
 * FAULT_ARGUMENT: {"index", "field": offset in a structure | null, "value",
 *  "plus": FAULT_FACTOR | null}
 *
 * FAULT_FACTOR: {"index", "field": as above, "value": a number, "times": 1 to 16}: the address is
 *  the argument's value plus that multiple of another argument
 *
 * FAULT: {"kind": "event" (memory) | "exception" (of an SM) | "mmu" (memory, from its list),
 *  "access": "read" | "write" | "atomic" | "prefetch" | null, "address": null if unknown, "page":
 *  whether that is the start of a page only, "pc": program counter | null, "esr": raw
 *  exception of the warp | null, "type", "reason": raw, of events, "context": id | null, "device":
 *  ordinal | null, "time": TIME of an event, of reading for the others}
 *
 * FIRST_NAN: {"origin": "made" | "probably_made" | "already_there", "at": NAN_ARGUMENT in which it
 *  began, "passed_on": [NAN_ARGUMENT]: what kernels wrote that were given it, the first 6 of them,
 *  "n_passed_on": number of these kernels, "reached": NAN_ARGUMENT that the most suspect kernel was
 *  given, null if none was, "reached_through": NAN_ARGUMENT | null: values that are not odd, such
 *  as indexes, which a launch wrote after it was given odd ones, and which the most suspect launch
 *  was given}
 *
 * NAN_ARGUMENT: {"submission": number of the launch, or of the graph's, null if unknown, "graph":
 *  handle, "replay": from 1, "node": index; null unless it is a node, as are the two members
 *  before, "kernel", "kernel_mangled": null if unknown, "argument": index, "field": offset in a
 *  structure | null, "type": "f32" or another type of numbers, "guessed": whether the type was
 *  guessed, "n": numbers, "nan", "infinite": how many of them, "first": index of the first NaN
 *  (with `--inf`, or infinity) | null, "stack": [FRAME], "python_stack": [PYTHON_FRAME]: of the
 *  launch, or of the call that added the node}
 *
 * REFUSAL: {"what": "launch" | "image" | "host memory", "code": CUresult, "call", "subject": the
 *  kernel, the owner of the image, or the address, "why": explanation with the numbers and what to
 *  do, "rule": its id, "count": number of calls refused here with this code; the members below are
 *  of the first of them, "time", "stack": [FRAME], "python_stack": [PYTHON_FRAME]}
 *
 * THREAD: {"tid", "name"}
 *
 * LINE: {"id": "headline" | "work" | "fault" | "launched_from" | "through" | "generated_code" |
 *  "native" | "on_the_device" | "nvtx" | "nodes" | "node" | "arguments" | "unusual" | "producers" |
 *  "or_else" | "seen_by" | "host" | "evidence" | "in_flight" | "afterwards" | "refused" |
 *  "first_nan" | "stacks" | "no_room" | "hardware" | "next" | "process" | "bundle" | "help",
 *  "label": as in the text report, null without one, "text", "subject": "report" | "suspect" |
 *  "node" | "argument" | "evidence" | "stream" | "stack" | "more": what the text is about,
 *  "number": index in the list of these; for a stack its id, for more the number left out,
 *  "places": [CODE]}
 *
 * CODE: a code location that a LINE names, null where a value is unknown: {"begin", "length": byte
 *  range of its name in the text, "language": "python" | "host" | "device", "file", "line",
 *  "function", "module", "offset"}
 *
 * RANGE: an NVTX range that was open at the call: {"scope": "thread" | "process", "text": at most
 *  60 bytes, null if overwritten, "cut": whether the text was longer, "domain": null for the
 *  default domain}
 *
 * GRAPH: {"handle", "replay", "node_verdict": "exact" | "likely" | "narrowed" | "unknown": the
 *  claim that a candidate did it, provided that the graph did, "n_nodes", "n_kernels": null if the
 * nodes are unknown, "n_finished": number of nodes that markers show to be finished,
 * "n_candidates", "candidates": [NODE] (at most 16, kernels first)}
 *
 * NODE: {"index": in the graph, from 0, counting nodes of child graphs, "kind": as of a suspect,
 *  "origin": "captured" | "added" | "unseen", "copied": whether it was copied from another graph,
 *  whose stack is shown, "kernel", "kernel_mangled", "grid", "block", "shared_bytes": null
 *  unless it is a kernel, as are the four members before, "arguments": [ARGUMENT], "stack":
 * [FRAME], "python_stack": [PYTHON_FRAME]}
 *
 * ARGUMENT: {"index", "offset", "size", "hex": bytes in memory order, "" if not recorded,
 *  "allocation": null or {"state": "inside" | "freed" | "freed_in_flight" | "reserved" | "past" |
 * "before", "kind": phrase, "device": its ordinal, null if unknown, "number", "start", "offset":
 * distance from the start, or past the end from the end, "size", "call", "stack": [FRAME],
 *  "python_stack": [PYTHON_FRAME], "freed_call", "freed_after", "freed_stack": [FRAME],
 *  "freed_python_stack": [PYTHON_FRAME]; these four are null unless it was freed},
 *  "block": BLOCK | null}
 *
 * BLOCK: a block of PyTorch's memory pool, as culprit_cuda.torch_memory recorded it:
 * {"state": "in_use" | "awaited" (by a stream) | "free" | "gone" (returned to the driver):
 *  after the failure, "start", "offset": from its start, "size", "allocated": [POOL_FRAME],
 *  "freed": [POOL_FRAME]; both are empty if PyTorch did not record its history}
 *
 * POOL_FRAME: {"file", "line": null if unknown, "function"}
 *
 * FRAME: {"function", "file", "line", "column": null if unknown, "inlined": into the next frame,
 *  "plumbing": in culprit, CUDA, the C library, a header of a library, or generated by nvcc,
 *  "interpreter": in Python itself, "module", "build_id": hexadecimal, "offset": the return address
 *  in the module, "problem": why the module has no symbols, or null}
 *
 * PYTHON_FRAME: {"function": its qualified name, "file", "line": null if unknown, "first_line": of
 *  the function, "origin": "user" | "library" (installed packages, the standard library) |
 *  "generated" (by torch.compile), "package": of a library, or null, "notes": [comments in a
 *  generated file about the source of the line], "problem": null, or why outer callers are unknown:
 *  the last entry then stands for them}
 *
 * PLACE: a location in device code, null where a value is unknown: {"exception": phrase, "pc",
 *  "function": mangled, "directory", "file", "line", "inlined": mangled name of the inlined
 * function that the line belongs to, "callers": [{"inlined", "directory", "file", "line"}]: the
 * lines that call the inlined functions, outermost last, "block": [x, y, z], "thread": [x, y, z]}
 *
 * TIME: a string in UTC by the machine's clock, "2026-11-22T15:09:36.123456Z", null if unknown.
 * Handles, addresses and offsets into modules are strings "0x...".
 */
#ifndef CULPRIT_TOOLS_REPORT_JSON_H
#define CULPRIT_TOOLS_REPORT_JSON_H

#include <jansson.h>

#include "analysis/analysis.h"

enum { REPORT_JSON_FORMAT = 2 };

/* Return the whole report as a new reference, or NULL if out of memory. */
json_t *report_to_json(const struct analysis *analysis);

#endif
