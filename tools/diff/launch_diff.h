/*
 * launch_diff.h - compare corresponding launches of two runs.
 */
#ifndef CULPRIT_TOOLS_LAUNCH_DIFF_H
#define CULPRIT_TOOLS_LAUNCH_DIFF_H

#include "diff/launch_list.h"

enum launch_difference {
	LAUNCH_EQUAL,
	LAUNCH_OTHER_KERNEL,    /* the runs launch other kernels there, or with other memory */
	LAUNCH_INPUT_DIFFERS,   /* memory that the launch does not write differs */
	LAUNCH_WRITTEN_DIFFERS, /* as LAUNCH_RESULT_DIFFERS, but what it writes differed before */
	LAUNCH_RESULT_DIFFERS,  /* all memory was equal before the launch, and some differs after it
				 */
};

struct launch_run {
	const struct bundle_view *view;
	const struct checked_launch *launch;
};

/*
 * Compare two launches. *out_index is the first argument that differs, an index among the rows of
 * both; 0 for LAUNCH_EQUAL and LAUNCH_OTHER_KERNEL.
 */
enum launch_difference launch_diff(const struct launch_run *one, const struct launch_run *other,
				   uint32_t *out_index);

#endif
