/*
 * bounded.h - work on a disk that may not answer, for a bounded time.
 */
#ifndef CULPRIT_TOOLS_BOUNDED_H
#define CULPRIT_TOOLS_BOUNDED_H

/*
 * Does `work` in a forked child, so that this process never hangs, and returns its result. Changes
 * that it makes in memory are lost. If the child hangs in the kernel without progress, a line names
 * `path` after three seconds. After ten seconds the child gets SIGKILL, which takes effect when the
 * disk answers, and the result is -ETIMEDOUT. Returns -ECHILD if the child crashed. If no child can
 * be made, `work` is done here. Single-threaded callers with flushed stdio only.
 */
int bounded_call(int (*work)(void *state), void *state, const char *path);

/* Like bounded_call(), for work that another run can do later: without a line, and for a second. */
int bounded_try(int (*work)(void *state), void *state);

#endif
