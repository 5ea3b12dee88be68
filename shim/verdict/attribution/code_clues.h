/*
 * code_clues.h - what the code of kernels rules out. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_CODE_CLUES_H
#define CULPRIT_VERDICT_CODE_CLUES_H

#include <stdint.h>

#include "verdict/progress/progress.h"

/* Marks the open work whose kernel cannot have raised the moment's code: rule 12. */
void code_clear_work(struct progress *progress, const uint8_t *asserts_never, uint32_t n_functions);

#endif
