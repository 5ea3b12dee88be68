/*
 * property.h - runs thousands of random stories and counts their verdicts.
 */
#ifndef CULPRIT_TESTS_PROPERTY_H
#define CULPRIT_TESTS_PROPERTY_H

#include <stdbool.h>
#include <stdint.h>

#include "attribution/verdict.h"

struct outcome {
	uint64_t n[VERDICT_EXACT + 1]; /* by class of verdict */
	uint64_t n_skipped;            /* stories that have none */
	uint64_t n_suspects;           /* of all verdicts */
	uint64_t n_first;              /* verdicts whose first suspect is the culprit */
};

/* True if the culprit is among the suspects, or if there are more than are listed. */
bool property_names(const struct verdict *verdict, uint64_t culprit);

/* Counts the verdict. A wrong verdict ends the test and prints its seed. */
void property_judged(struct outcome *outcome, uint64_t seed, const struct verdict *verdict,
		     bool is_right, uint64_t culprit);

/*
 * Runs n_stories, or what the arguments say: first seed and number, to look closer or to search
 * longer. Prints the counts and returns how many it ran.
 */
uint64_t property_run(int argc, char **argv, uint64_t n_stories,
		      void (*run_story)(uint64_t seed, struct outcome *outcome),
		      struct outcome *outcome);

/*
 * Fail if the outcome of a test's own stories differs from the stored one: verdicts became wider,
 * stronger, or name another suspect first. If a change of the rules means this, store the new one.
 */
void property_expect(const struct outcome *outcome, const struct outcome *stored);

#endif
