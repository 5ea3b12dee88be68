/*
 * attribution_facts.h - facts for the attribution that are not in the bundle. The caller read them
 * elsewhere.
 */
#ifndef CULPRIT_ATTRIBUTION_ATTRIBUTION_FACTS_H
#define CULPRIT_ATTRIBUTION_ATTRIBUTION_FACTS_H

#include <stdint.h>

#include "coredump/gpu_fault.h"
#include "fault/code_extents.h"

/* Facts about a function's machine code; 0: nothing is known. */
enum code_fact {
	CODE_ASSERTS_NEVER = 1, /* it is proven to raise no assertion */
	CODE_TRAPS = 2,         /* it has a trap instruction, somewhere */
	CODE_LAUNCHES = 4,      /* code of its image may launch kernels */
};

/* All the facts; all zero: nothing is known. */
struct attribution_facts {
	const struct gpu_fault *coredump; /* of this process; must outlive the verdict */
	const uint8_t *code;  /* bits of enum code_fact, by the function's index in its table */
	uint32_t n_functions; /* length of `code`, which starts at index 0 */
	struct code_sizes sizes;
};

#endif
