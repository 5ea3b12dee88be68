/*
 * code_clues.h - what the code of kernels rules out, and hints at. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_CODE_CLUES_H
#define CULPRIT_VERDICT_CODE_CLUES_H

#include "verdict/attribution/attribution_facts.h"
#include "verdict/progress/progress.h"

/*
 * Marks the open work whose kernel cannot have raised the moment's code: rule 12; and, of a launch
 * that failed without more being said of it, as a trap's does, the kernels that have a trap.
 */
void code_mark_work(struct progress *progress, const struct attribution_facts *facts);

#endif
