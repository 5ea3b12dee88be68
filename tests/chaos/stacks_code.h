/*
 * stacks_code.h - places in code that comes, goes, or nests. Each function makes a new such place,
 * launches a few times from it, and takes it away again.
 */
#ifndef CULPRIT_CHAOS_STACKS_CODE_H
#define CULPRIT_CHAOS_STACKS_CODE_H

void chaos_unloaded(void);  /* libraries come and go at one address, and nobody is told */
void chaos_generated(void); /* code that no module holds, described or not */
void chaos_deep(void);      /* deep recursion, and frames of many sizes */

#endif
