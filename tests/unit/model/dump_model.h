/*
 * dump_model.h - the GPU core dump of a story of the model: the one that the story's culprit would
 * have left, or parts of it. While the driver writes a dump, streams may seem to continue.
 */
#ifndef CULPRIT_TESTS_DUMP_MODEL_H
#define CULPRIT_TESTS_DUMP_MODEL_H

#include "coredump/gpu_fault.h"
#include "model/gpu_model.h"

enum { DUMP_MODEL_FUNCTIONS = 3 };

struct dump_model {
	struct gpu_model *model;
	uint64_t random;
	uint32_t n_shapes;
	bool is_watched; /* syncs are true */
	struct gpu_fault fault;
};

/* Give kernels to the story's launches, and fill *out. The story has failed. */
void dump_model_add(struct gpu_model *model, struct dump_model *out);

#endif
