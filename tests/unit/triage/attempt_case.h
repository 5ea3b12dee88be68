/*
 * attempt_case.h - the parts of the command that a run of triage calls: each traces its call and
 * answers as the test says.
 */
#ifndef CULPRIT_TESTS_ATTEMPT_CASE_H
#define CULPRIT_TESTS_ATTEMPT_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "triage/attempt.h"

/* A bundle of the run. */
struct attempt_row {
	enum exit_status status;
	int open_error;
	int text_error;
	bool has_no_failure;
	bool has_no_line;
	uint64_t time_ns;
	const char *headline;
	const char *python;
	enum hardware_cause cause;
	enum graph_certainty graph;
	bool has_device;    /* a line about a place on the device */
	uint32_t host_line; /* of a location in the program */
	uint32_t gpu_line;  /* of a location on the device */
	uint64_t groups[3];
	uint64_t n_ungrouped;
};

struct attempt_case {
	struct attempt_row rows[3];
	size_t n_rows;
	int selection_error;
	int run_error;
	bool has_sanitizer_line;
};

extern struct attempt_case attempt_case;

/* Return the value of an environment variable, or "-". */
const char *attempt_variable(const char *name);

#endif
