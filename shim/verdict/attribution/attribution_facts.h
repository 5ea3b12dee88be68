/*
 * attribution_facts.h - what attribution is told beside the bundle, by who read it elsewhere.
 */
#ifndef CULPRIT_VERDICT_ATTRIBUTION_FACTS_H
#define CULPRIT_VERDICT_ATTRIBUTION_FACTS_H

#include <stdint.h>

#include "verdict/coredump/gpu_fault.h"

/* Of a function's machine code. None: nothing is known. */
enum code_fact {
	CODE_ASSERTS_NEVER = 1, /* it is proven to raise no assertion */
	CODE_TRAPS = 2,         /* it has a trap instruction, somewhere */
};

/* What is known beside the bundle. All zero: nothing. */
struct attribution_facts {
	const struct gpu_fault *coredump; /* of this process; must outlive the verdict */
	const uint8_t *code;  /* bits of enum code_fact, by place of the function in its table */
	uint32_t n_functions; /* of these, from 0 on */
};

#endif
