/*
 * threads.h - the program's threads, which are coroutines.
 */
#ifndef CULPRIT_MODEL_THREADS_H
#define CULPRIT_MODEL_THREADS_H

#include "checker.h"

/* Run the threads until all have finished. */
void threads_run(void);

/*
 * Another thread may run now, unless the current one has only read since this was last asked: it
 * could read the same values later, from the messages of that time. Call this before each
 * operation that other threads can see, or that sees theirs.
 */
void threads_point(void);

/* Let other threads run until the current one need not wait any more. */
void threads_block(enum wait wait, const void *waits_on);

/*
 * The current thread is at an operation that no earlier load may follow. If it has read a value
 * that is not stored yet, wait until another thread stores it.
 */
void threads_settle(void);

/* End this execution without a result. */
_Noreturn void threads_abandon(void);

/* Return the lock at this address. */
struct lock *threads_lock(const void *address);

#endif
