/*
 * attempt.h - one run of the command under `culprit run`, and what its bundles say of it.
 */
#ifndef CULPRIT_TOOLS_ATTEMPT_H
#define CULPRIT_TOOLS_ATTEMPT_H

#include "triage/plan.h"

struct attempt {
	int status;     /* as of waitpid, of `culprit run`: the command's own */
	double seconds; /* that it took */
	char how[48];   /* the way as it was gone, "--markers inline@9000"; else the way's text */
	char *headline; /* without "culprit: "; NULL: no failure. Like the next the caller's */
	char *report;   /* as text */
	char sanitizer[SANITIZER_TEXT_SIZE]; /* what compute-sanitizer found, "" nothing */
};

/* "--markers inline": how the way is told to people. */
const char *attempt_way_text(enum way way);

/*
 * Runs argv that way; bundles go to `directory`, which is made, and reports of the run itself are
 * kept from the terminal. `known`: the best finding so far, whose suspects alone are looked at more
 * closely. 0, or -errno after one line: nothing ran, or what it left could not be read.
 */
int attempt_make(char **argv, enum way way, const struct finding *known, const char *directory,
		 struct attempt *out, struct finding *out_finding);

void attempt_free(struct attempt *attempt);

#endif
