/*
 * fault_page.h - compare the pages of memory faults with the memory that each submission was given.
 * attribution.h, rule 16, says why this is sound.
 */
#ifndef CULPRIT_VERDICT_FAULT_PAGE_H
#define CULPRIT_VERDICT_FAULT_PAGE_H

#include "fault/fault_story.h"
#include "progress/progress.h"

/*
 * Mark open copies, memsets and the like that touch none of the pages as elsewhere. Mark work that
 * was given memory at the first page, or that ends before it, as being at the fault. Without a
 * story of a memory fault alone, this has no effect.
 */
void fault_page_mark(struct progress *progress, const struct fault_story *story);

#endif
