/*
 * attempt.h - run the command once under `culprit run` and read the bundles of that run.
 */
#ifndef CULPRIT_TOOLS_ATTEMPT_H
#define CULPRIT_TOOLS_ATTEMPT_H

#include <stdio.h>

#include "triage/plan.h"

struct attempt {
	int status;     /* wait status of `culprit run`, which is the command's */
	double seconds; /* duration */
	char how[48];   /* options of this run, "--markers inline@9000", or the way's text */
	char *headline; /* without "culprit: "; NULL: no failure; see attempt_free() */
	char *report;   /* as text; see attempt_free() */
	char *hardware; /* what points to the hardware or the driver; NULL: nothing */
	char sanitizer[SANITIZER_TEXT_SIZE]; /* findings of compute-sanitizer, or "" */
};

/* Return the way as people read it, "--markers inline". */
const char *attempt_way_text(enum way way);

/*
 * Run argv in one way, without printing its report. Bundles go to `directory`, which is created.
 * `known` is the best finding so far: markers and compute-sanitizer are limited to its suspects.
 * Return 0, or -errno after a message: nothing ran, or the bundles could not be read.
 */
int attempt_make(char **argv, enum way way, const struct finding *known, const char *directory,
		 struct attempt *out, struct finding *out_finding);

/* Free the attempt's strings. */
void attempt_free(struct attempt *attempt);

/*
 * story.c: the output of triage: a line when each run starts, then a table of the runs and the most
 * precise report.
 */

/* Print a line on standard error before a run starts. */
void story_begin_run(unsigned index, enum way way);

struct story_facts {
	const struct plan_run *runs;
	const struct attempt *attempts;
	unsigned n; /* more than 0 */
	bool repeats;
	const char *directory;
};

/* Print the table of runs, whether they agree, and the most precise report. */
void story_print(const struct story_facts *told, FILE *out);

#endif
