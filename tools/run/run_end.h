/*
 * run_end.h - the data that the end of a run needs.
 */
#ifndef CULPRIT_TOOLS_RUN_END_H
#define CULPRIT_TOOLS_RUN_END_H

#include <stdbool.h>
#include <stdint.h>

#include "base/settings.h"
#include "ci/ci.h"
#include "command/report_output.h"
#include "hardware/hardware_watch.h"
#include "report/terminal.h"
#include "run/child.h"

/* How long the end of a run waits for NVML, in ms. */
enum { RUN_HARDWARE_MS = 500 };

/* The work to do at the end of a run, and the results so far. */
struct run_end {
	const char *directory;  /* of the bundles */
	int slot_fd;            /* of the run; negative: none */
	uint64_t start_ns;      /* CLOCK_MONOTONIC before the command started */
	const char *run_id;     /* as in meta.json of the run's bundles */
	struct child_end child; /* the command */
	const char *outer_run;  /* the run that this one is within; "": none */
	struct report_output *output;
	enum terminal_color color;       /* of the reports */
	struct ci_findings *findings;    /* for build servers; NULL: not wanted */
	struct hardware_watch *hardware; /* of the GPUs; NULL: they are not watched */
	bool is_quiet;                   /* nothing goes to standard error */
	bool is_verbose;                 /* print a summary even if nothing failed */
	enum report_length length;       /* of the printed reports */
	bool requires_cuda;              /* print a line if no process used CUDA */
	bool is_killed;                  /* ended after a failure, as --on-failure kill asks */
	bool has_reported_hang;          /* the user knows already which work was unfinished */
	bool keeps_sound; /* also keep sound bundles whose process did not end in order */
};

#endif
