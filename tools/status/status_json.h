/*
 * status_json.h - the status of a process as JSON, one object in one line. Format 1 (members may be
 * added, none change); null is what is not known:
 *
 * {"culprit": version, "format": 1, "pid", "bundle", "state": "runs" | "stopped" | "locked" (for a
 *  checkpoint) | "silent" (it does not answer) | "failed" | "ended",
 *  "time_ns": CLOCK_MONOTONIC of the look,
 *  "words": whether the driver's own words of its progress were used,
 *  "streams": [{"id", "label", "state": "runs" | "may_run" | "event" | "legacy" | "host_func" |
 *      "value" | "queue", "proven": that it is so, "finished": number of the newest submission that
 *      is, "submission", "kind", "name", "grid", "block", "age_ms": {"low", "high"}: since it
 *      began or, low 0, was submitted, "behind": submissions behind it, "newest", "waits_for":
 *      {"stream", "submission"} | null, "stack": [FRAME], "python_stack": [PYTHON_FRAME]}],
 *  "threads": [{"thread": THREAD, "call", "stream": id | null, "submission", "for_ms",
 *      "stack": [FRAME], "python_stack": [PYTHON_FRAME]}]: those in a call of the driver,
 *  "job": JOB | null: what it is in its job, where several processes are looked at together}
 *
 * JOB: {"name": "rank 3", of a process that is no rank "process 123", "n": processes, "outlier":
 *  whether a finding is about it, "groups": [{"group": number of the communicator, from 1, "moves":
 *  it makes progress, "launched": how many collectives, "newest": what the last one is called,
 *  "unfinished": number of the first that is not finished, null: all are, "front": what that is
 *  called}], "findings": [{"group", "kind": "behind" (these ranks have not launched it) | "odds"
 *  (they have launched another one), "number": of the collective, "collective": what most have
 *  launched, "ranks": [name]: those, "others": [name]: those that have, "text": in words}]: the
 *  same in all of them}
 *
 * THREAD, FRAME and PYTHON_FRAME are those of report_json.h.
 */
#ifndef CULPRIT_TOOLS_STATUS_JSON_H
#define CULPRIT_TOOLS_STATUS_JSON_H

#include <jansson.h>

#include "status/process_status.h"

enum { STATUS_JSON_FORMAT = 1 };

/* The whole, or NULL without memory. */
json_t *status_to_json(const struct process_status *status);

#endif
