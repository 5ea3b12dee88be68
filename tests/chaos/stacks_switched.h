/*
 * stacks_switched.h - places on stacks that the program has switched to. Each function makes a new
 * place, launches a few times from it, and removes it again.
 */
#ifndef CULPRIT_CHAOS_STACKS_SWITCHED_H
#define CULPRIT_CHAOS_STACKS_SWITCHED_H

void chaos_libco(void);       /* a coroutine that "returns" to the first byte of a function */
void chaos_assembly(void);    /* the stack is moved where no rule knows of it */
void chaos_makecontext(void); /* two coroutines of the C library, in turn */
void chaos_signal(void);      /* a handler on a stack of its own, in whatever was interrupted */
void chaos_signal_in_coroutine(void);

#endif
