/*
 * believable.h - how far each stream came, by all that is believed: what contradicts the rest, or
 * leaves nobody who can have failed, is left out. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_BELIEVABLE_H
#define CULPRIT_VERDICT_BELIEVABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "verdict/attribution/attribution_facts.h"
#include "verdict/progress/progress.h"

/* What is looked for, and where. */
struct search {
	const struct bundle_view *view;
	const struct moment *moment;
	const struct attribution_facts *facts;
	bool has_coredump; /* one that is used */
	void *scratch;
	size_t scratch_size;
};

/* As progress_read(); `out->trouble` tells of words that were left out. */
int believable_find(struct search search, struct progress *out);

#endif
