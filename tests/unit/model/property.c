/*
 * property.c - the loop over stories, and what is said of a wrong one.
 */
#include "model/property.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/check.h"

bool property_names(const struct verdict *verdict, uint64_t culprit)
{
	if (verdict->n_suspects > VERDICT_MAX_SUSPECTS)
		return true;
	for (uint64_t i = 0; i < verdict->n_suspects; i++)
		if (verdict->suspects[i].record.sequence == culprit)
			return true;
	return false;
}

void property_judged(struct outcome *outcome, uint64_t seed, const struct verdict *verdict,
		     bool is_right, uint64_t culprit)
{
	outcome->n[verdict->class]++;
	outcome->n_suspects += verdict->n_suspects;
	outcome->n_first +=
		verdict->n_suspects && verdict->suspects[0].record.sequence == culprit ? 1 : 0;
	if (is_right)
		return;
	fprintf(stderr,
		"seed %" PRIu64 ": verdict %d names #%" PRIu64 " of %" PRIu64
		", the culprit is #%" PRIu64 "\n",
		seed, (int)verdict->class, verdict->suspects[0].record.sequence,
		verdict->n_suspects, culprit);
	exit(1);
}

uint64_t property_run(int argc, char **argv, uint64_t n_stories,
		      void (*run_story)(uint64_t seed, struct outcome *outcome),
		      struct outcome *outcome)
{
	uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 0) : n_stories;
	for (uint64_t seed = first; seed < first + n; seed++)
		run_story(seed, outcome);
	printf("exact %" PRIu64 ", likely %" PRIu64 ", narrowed %" PRIu64 ", unknown %" PRIu64
	       ", skipped %" PRIu64 "; suspects %" PRIu64 ", first right %" PRIu64 "\n",
	       outcome->n[VERDICT_EXACT], outcome->n[VERDICT_LIKELY], outcome->n[VERDICT_NARROWED],
	       outcome->n[VERDICT_UNKNOWN], outcome->n_skipped, outcome->n_suspects,
	       outcome->n_first);
	return n;
}

void property_expect(const struct outcome *outcome, const struct outcome *stored)
{
	for (enum verdict_class class = 0; class <= VERDICT_EXACT; class ++)
		CHECK_EQUAL(outcome->n[class], stored->n[class]);
	CHECK_EQUAL(outcome->n_suspects, stored->n_suspects);
	CHECK_EQUAL(outcome->n_first, stored->n_first);
}
