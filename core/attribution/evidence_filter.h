/*
 * evidence_filter.h - how far each stream came, by all facts that are believed. A kind of fact is
 * left out if it contradicts the rest, or leaves no work that can have failed. Private to this
 * folder.
 */
#ifndef CULPRIT_ATTRIBUTION_EVIDENCE_FILTER_H
#define CULPRIT_ATTRIBUTION_EVIDENCE_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "attribution/attribution_facts.h"
#include "attribution/clue_parts.h"
#include "progress/progress.h"

/* The inputs. */
struct search {
	const struct bundle_view *view;
	const struct moment *moment;
	const struct attribution_facts *facts;
	bool has_coredump;               /* and it is used */
	const struct fault_clues *fault; /* no use of it: NULL */
	void *scratch;
	size_t scratch_size;
};

/*
 * Return as progress_read(), or -EINVAL if the bundle contradicts itself. `out->trouble` says why
 * progress counters were left out. Sets *out_fault_refused if the fault's evidence contradicts the
 * rest and was left out.
 */
int evidence_filter_find(struct search search, struct progress *out, bool *out_fault_refused);

#endif
