/*
 * reference.h - a second, slow attribution, written from the rules in attribution.h and not from
 * the code. It knows rules 1 to 9: no core dump, no progress counters, no facts about code or
 * memory.
 */
#ifndef CULPRIT_TESTS_REFERENCE_H
#define CULPRIT_TESTS_REFERENCE_H

#include <stdint.h>

#include "attribution/verdict.h"
#include "view/bundle_view.h"

enum { REFERENCE_MAX_WORK = 1024 };

struct reference_verdict {
	enum verdict_class class;
	uint64_t n_suspects;
	uint64_t suspects[REFERENCE_MAX_WORK]; /* numbers in the process, most suspect first */
};

/* Fill *out. The bundle has a failure, and is well-formed. */
void reference_attribute(const struct bundle_view *view, struct reference_verdict *out);

#endif
