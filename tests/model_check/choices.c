/*
 * choices.c - a stack of choices, replayed up to the newest that has another alternative.
 */
#include "choices.h"

#include "checker.h"
#include "trace.h"

uint32_t choices_pick(uint32_t n)
{
	if (n < 2)
		return 0;
	if (checker->depth == MAX_CHOICES)
		trace_fail("limit", "there are too many choices");
	if (checker->depth == checker->n_choices)
		checker->choices[checker->n_choices++] = (struct choice){.n = (uint16_t)n};
	const struct choice *choice = &checker->choices[checker->depth++];
	if (choice->n != n)
		trace_fail("limit", "the scenario differs from one execution to the next");
	return choice->chosen;
}

bool choices_advance(void)
{
	while (checker->n_choices > 0) {
		struct choice *newest = &checker->choices[checker->n_choices - 1];
		if (++newest->chosen < newest->n)
			return true;
		checker->n_choices--;
	}
	return false;
}
