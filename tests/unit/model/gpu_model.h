/*
 * gpu_model.h - a small random model of a host that submits and a GPU that runs, until one
 * submission faults. It writes the journal that the shim would have written, and knows the truth.
 */
#ifndef CULPRIT_TESTS_GPU_MODEL_H
#define CULPRIT_TESTS_GPU_MODEL_H

#include "model/model_state.h"

/* Runs one story from its seed up to the failure. The caller ends the builder. */
void model_run(struct gpu_model *model, const struct model_settings *settings);

/* True if a ring has overwritten records. */
bool gpu_model_has_lost_records(const struct gpu_model *model);

#endif
