/*
 * code_clues.h - what the code of kernels rules out, and what it hints at. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_CODE_CLUES_H
#define CULPRIT_VERDICT_CODE_CLUES_H

#include "attribution/attribution_facts.h"
#include "progress/progress.h"

/*
 * Mark the open work whose kernel cannot have raised the moment's code (rule 12). If the code is
 * the one that a trap raises (a launch failed, without a reason), also mark the kernels that have a
 * trap.
 */
void code_mark_work(struct progress *progress, const struct attribution_facts *facts);

#endif
