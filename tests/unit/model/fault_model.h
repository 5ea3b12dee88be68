/*
 * fault_model.h - what the driver says of the fault in a story of the model, and facts about code
 * and memory. It takes a story that has failed, gives kernels, shapes of copies and allocations to
 * it, and adds the evidence that the culprit would have left, or some of it. A lying story has
 * evidence of other work.
 */
#ifndef CULPRIT_TESTS_FAULT_MODEL_H
#define CULPRIT_TESTS_FAULT_MODEL_H

#include "attribution/attribution_facts.h"
#include "model/gpu_model.h"

enum { FAULT_MODEL_FUNCTIONS = 4 };

struct fault_model {
	struct gpu_model *model;
	uint64_t random;
	bool is_lying;
	bool is_graph; /* the culprit */
	int32_t code_of_failure;
	uint32_t first_function;
	uint32_t context;
	struct attribution_facts facts;
	uint8_t code[FAULT_MODEL_FUNCTIONS + 1];
	struct code_size sizes[FAULT_MODEL_FUNCTIONS + 1];
};

/* Add all that to the story. The facts are valid while *out is. */
void fault_model_add(struct gpu_model *model, bool is_lying, struct fault_model *out);

#endif
