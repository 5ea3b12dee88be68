/*
 * gpu_steps.h - what happens on the GPU of a story, one event at a time.
 */
#ifndef CULPRIT_TESTS_GPU_STEPS_H
#define CULPRIT_TESTS_GPU_STEPS_H

#include "model/model_state.h"

/* Let one event happen somewhere. False if nothing can happen any more. */
bool gpu_steps_one(struct gpu_model *model);

/* Let so many events happen, or fewer if nothing more can happen. */
void gpu_steps_run(struct gpu_model *model, uint32_t n_steps);

/* True if all work up to the ordinal has finished, and its inline markers have landed. */
bool gpu_steps_are_passed(const struct model_stream *stream, uint32_t ordinal);

#endif
