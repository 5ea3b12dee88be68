/*
 * run_case.h - the parts of the command that `culprit run` calls: each traces its call and answers
 * as the test says.
 */
#ifndef CULPRIT_TESTS_RUN_CASE_H
#define CULPRIT_TESTS_RUN_CASE_H

#include <stdbool.h>

#include "run/run_parts.h"
#include "run/run_reports.h"

/* How the parts answer. */
struct run_case {
	int color;
	int hardware;
	int number_error;
	unsigned fail_code; /* if it is given */
	int hang_error;
	int size_error;
	uint64_t max_bytes; /* if a size is given */
	bool has_unknown_setting;
	enum command_kind kind;
	int library_error;
	int preload_error;
	int nvtx_error;
	int output_error;
	bool has_left;
	int prepare_error;
	int print_error;
	int child_error;
	int child_status;
	bool is_killed;
	bool has_reported_hang;
	bool has_aborted;
	int bounded_result; /* 0: the work is done */
	struct run_summary summary;
};

extern struct run_case run_case;

#endif
