/*
 * process.h - describes the process of a bundle, from its meta.json: its program, user, host and
 * times. Bundles of older versions have less.
 */
#ifndef CULPRIT_TOOLS_PROCESS_H
#define CULPRIT_TOOLS_PROCESS_H

#include <jansson.h>
#include <stdint.h>

#include "base/rank.h"
#include "report/report_model.h"

enum { PROCESS_TIME_SIZE = 32, PROCESS_LINE_SIZE = 1024 };

/* The lines of a report about the process. `report` points into it, so do not move it. */
struct process_lines {
	struct report_process report;
	char texts[REPORT_MAX_PROCESS_LINES][PROCESS_LINE_SIZE];
	char command[PROCESS_LINE_SIZE];
};

/*
 * Fills *out with the known facts. `failed_ns` is the CLOCK_MONOTONIC time of the failure, 0
 * without one. *out points to strings of `meta` (NULL: none).
 */
void process_describe(const json_t *meta, uint64_t failed_ns, struct process_lines *out);

/* Returns the rank in its job, as set by the launcher. The strings belong to `meta`. */
struct rank process_rank(const json_t *meta);

/* Returns the rank's number, or -1 if it is missing or not a number. */
int64_t process_rank_number(const json_t *meta);

/* Returns nanoseconds since 1970 for a CLOCK_MONOTONIC time of the process; 0: not known. */
uint64_t process_wall_ns(const json_t *meta, uint64_t monotonic_ns);

/* "2026-11-22T15:09:36.123456Z"; "" for 0. Returns `out`. */
const char *process_time_text(uint64_t wall_ns, char out[PROCESS_TIME_SIZE]);

#endif
