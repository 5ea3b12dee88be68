/*
 * status_json.h - the status of a process as JSON, one object in one line. Format 1 (members may be
 * added, none change); null is what is not known:
 *
 * {"culprit": version, "format": 1, "pid", "bundle", "state": "runs" | "stopped" | "locked" (for a
 *  checkpoint) | "silent" (it does not answer) | "failed" | "ended", "time_ns": CLOCK_MONOTONIC of
 * the look, "words": whether the driver's own words of its progress were used, "streams": [{"id",
 * "label", "state": "runs" | "may_run" | "event" | "legacy" | "host_func" | "value" | "queue",
 * "proven": that it is so, "finished": number of the newest submission that is, "submission",
 * "kind", "name", "grid", "block", "age_ms": {"low", "high"}: since it began or, low 0, was
 * submitted, "behind": submissions behind it, "newest", "waits_for":
 *      {"stream", "submission"} | null, "stack": [FRAME], "python_stack": [PYTHON_FRAME]}],
 *  "threads": [{"thread": THREAD, "call", "stream": id | null, "submission", "for_ms", "stack",
 *      "python_stack"}]: those in a call of the driver}
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
