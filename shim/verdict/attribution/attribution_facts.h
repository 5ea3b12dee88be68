/*
 * attribution_facts.h - what attribution is told beside the bundle, by who read it elsewhere.
 */
#ifndef CULPRIT_VERDICT_ATTRIBUTION_FACTS_H
#define CULPRIT_VERDICT_ATTRIBUTION_FACTS_H

#include <stdint.h>

#include "verdict/coredump/gpu_fault.h"

/* What is known beside the bundle. All zero: nothing. */
struct attribution_facts {
	const struct gpu_fault *coredump; /* of this process; must outlive the verdict */
	/* By place of the function in its table, 1: its code is proven to raise no assertion. */
	const uint8_t *asserts_never;
	uint32_t n_functions; /* of these, from 0 on */
};

#endif
