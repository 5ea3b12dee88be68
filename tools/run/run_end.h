/*
 * run_end.h - what the end of a run needs to know of it.
 */
#ifndef CULPRIT_TOOLS_RUN_END_H
#define CULPRIT_TOOLS_RUN_END_H

#include <stdbool.h>

#include "ci/findings.h"
#include "command/report_output.h"
#include "report/terminal.h"
#include "run/child.h"

/* The work to do at the end of a run, and the results so far. */
struct run_end {
	const char *directory;  /* of the bundles */
	int slot_fd;            /* of the run, negative: it has none */
	const char *run_id;     /* in meta.json of those of this run */
	struct child_end child; /* the command */
	const char *outer_run;  /* that this one is within; "": none */
	struct report_output *output;
	enum terminal_color color;    /* of the reports */
	struct ci_findings *findings; /* for build servers; NULL: nobody asks */
	bool is_quiet;                /* nothing goes to standard error */
	bool is_verbose;              /* tell what there was, also where nothing failed */
	bool requires_cuda;           /* say so where nobody used CUDA */
	bool has_told_hang;           /* what was unfinished is known to the user */
	bool keeps_sound; /* also bundles without a failure whose process ended untidily */
};

#endif
