/*
 * story.h - the output of triage: a line when each run starts, then a table of the runs and the
 * most precise report.
 */
#ifndef CULPRIT_TOOLS_STORY_H
#define CULPRIT_TOOLS_STORY_H

#include <stdio.h>

#include "triage/attempt.h"

/* Print a line on standard error before a run starts. */
void story_begin_run(unsigned index, enum way way);

struct story_told {
	const struct plan_run *runs;
	const struct attempt *attempts;
	unsigned n; /* more than 0 */
	bool repeats;
	const char *directory;
};

/* Print the table of runs, whether they agree, and the most precise report. */
void story_print(const struct story_told *told, FILE *out);

#endif
