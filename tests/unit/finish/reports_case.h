/*
 * reports_case.h - the parts that the end of a run calls: each traces its call and answers as the
 * test says.
 */
#ifndef CULPRIT_TESTS_REPORTS_CASE_H
#define CULPRIT_TESTS_REPORTS_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "command/exit_status.h"
#include "run/run_parts.h"

/* A bundle that can be opened at its path. */
struct case_bundle {
	const char *path;
	enum exit_status status;
	long pid;
	const char *told;
	int open_error; /* of its analysis */
	int text_error;
	bool has_failure;
	bool has_no_key;
	enum finding_kind finding;
};

/* How the parts answer. */
struct reports_case {
	struct case_bundle bundles[4];
	struct failed_bundle failed[4];
	size_t n_failed;
	int find_error;
	bool has_running;
	struct run_verdict verdicts[4];
	size_t n_verdicts;
	struct run_process processes[3];
	size_t n_processes;
	size_t n_sound;
	uint64_t n_unfinished;
	bool is_unseen;
	int write_error;
	int findings_error;
	int group_error;
	unsigned n_hardware_lines;
	unsigned failing_stream; /* 0: none */
	bool has_no_groups;
	bool has_no_hardware;
};

extern struct reports_case reports_case;

/* The run that ends. */
extern struct run_end case_end;
extern struct report_output case_output;
extern struct ci_findings case_findings;

/* Start a case: a run without processes whose command succeeded. */
void reports_begin(void);
void reports_add_bundle(struct case_bundle bundle, bool is_hung);
void reports_add_verdict(long pid, char *text, bool is_shown);

/* Compare all that the end of the run does with the wanted trace. */
void reports_check_run(const char *wanted);

#endif
