/*
 * stacks_code.h - places in code that is loaded, unloaded, or nested. Each function makes a new
 * place, launches a few times from it, and removes it again.
 */
#ifndef CULPRIT_CHAOS_STACKS_CODE_H
#define CULPRIT_CHAOS_STACKS_CODE_H

void chaos_unloaded(void);  /* libraries come and go at one address, unreported */
void chaos_generated(void); /* code that no module holds, described or not */
void chaos_deep(void);      /* deep recursion, and frames of many sizes */

#endif
