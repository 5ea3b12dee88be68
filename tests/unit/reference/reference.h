/*
 * reference.h - a second, slow attribution, written from the rules in attribution.h and not from
 * the code. It knows rules 1 to 9 and 11 to 17, and reference_dump.h rule 10: no sums of arguments,
 * and no nodes of graphs.
 */
#ifndef CULPRIT_TESTS_REFERENCE_H
#define CULPRIT_TESTS_REFERENCE_H

#include <stdint.h>

#include "attribution/attribution_facts.h"
#include "attribution/verdict.h"
#include "reference/order.h"
#include "view/bundle_view.h"

struct reference_verdict {
	enum verdict_class class;
	uint64_t n_suspects;
	/* Most suspect first. Valid until the next call. */
	const struct journal_record *suspects[ORDER_MAX_WORK];
};

/* Fill *out. The bundle has a failure, and is well-formed. One thread. */
void reference_attribute(const struct bundle_view *view, const struct attribution_facts *facts,
			 struct reference_verdict *out);

#endif
