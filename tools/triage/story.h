/*
 * story.h - what triage says: a line as each run begins, and at the end the runs side by side and
 * the report that tells most.
 */
#ifndef CULPRIT_TOOLS_STORY_H
#define CULPRIT_TOOLS_STORY_H

#include <stdio.h>

#include "triage/attempt.h"

/* On standard error, between the outputs of the command. */
void story_begin_run(unsigned index, enum way way);

struct story_told {
	const struct plan_run *runs;
	const struct attempt *attempts;
	unsigned n; /* more than 0 */
	bool repeats;
	const char *directory;
};

void story_print(const struct story_told *told, FILE *out);

#endif
