/*
 * status_json.h - the status of a process as JSON, one object on one line. Format 1: members may be
 * added, existing ones do not change. A value that is not known is null.
 *
 * {"culprit": version, "format": 1, "pid", "bundle", "state": "runs" | "stopped" | "locked" (for a
 *  checkpoint) | "silent" (it does not answer) | "failed" | "ended",
 *  "time_ns": CLOCK_MONOTONIC of the snapshot,
 *  "words": whether the driver's progress counters were used,
 *  "streams": [{"id", "label", "state": "runs" | "may_run" | "event" | "legacy" | "host_func" |
 *      "value" | "queue", "proven": whether the state is proven, "finished": number of the newest
 *      finished submission, "submission": number of the first unfinished one, "kind", "name",
 *      "grid", "block", "age_ms": {"low", "high"}: time since it started or, if low is 0, since it
 *      was submitted, "behind": unfinished submissions after it, "newest": number of the last one,
 *      "waits_for": {"stream", "submission"} | null, "stack": [FRAME],
 *      "python_stack": [PYTHON_FRAME]}],
 *  "threads": [{"thread": THREAD, "call", "stream": id | null, "submission", "for_ms",
 *      "stack": [FRAME], "python_stack": [PYTHON_FRAME]}]: threads in a driver call,
 *  "job": JOB | null: its part in the job if several processes are printed together}
 *
 * JOB: {"name": "rank 3" or for a process without a rank "process 123", "n": number of processes,
 *  "outlier": whether a finding is about this process, "groups": [{"group": number of the
 *  communicator from 1, "moves": whether it makes progress, "launched": number of collectives,
 *  "newest": kind of the last one, "unfinished": number of the first unfinished one or null,
 *  "front": kind of that one}], "findings": [{"group", "kind": "behind" (these ranks have not
 *  launched the collective) | "odds" (they have launched a different one), "number": of the
 *  collective, "collective": kind that most have launched, "ranks": [name]: the outliers,
 *  "others": [name]: the ranks that launched it, "text": a sentence}]: the same in all processes.
 *  Both lists have at most 64 names; the sentence has their number}
 *
 * THREAD, FRAME and PYTHON_FRAME are those of report_json.h.
 */
#ifndef CULPRIT_TOOLS_STATUS_JSON_H
#define CULPRIT_TOOLS_STATUS_JSON_H

#include <jansson.h>

#include "status/process_status.h"

enum { STATUS_JSON_FORMAT = 1 };

/* Return a new object; NULL if out of memory. The status must have names. */
json_t *status_to_json(const struct process_status *status);

#endif
