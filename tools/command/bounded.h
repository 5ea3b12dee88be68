/*
 * bounded.h - work on a disk that may not answer, for a bounded time.
 */
#ifndef CULPRIT_TOOLS_BOUNDED_H
#define CULPRIT_TOOLS_BOUNDED_H

/*
 * Does `work` in a forked child, so that this process can always go on, and returns what it
 * returned. What it changes in memory is lost. While the child is held by the kernel, without any
 * progress, a line names `path` after three seconds; after ten seconds the child is killed, which
 * it is when the disk answers: -ETIMEDOUT. -ECHILD: it did not come to its end. Where there can be
 * no child, `work` is done here. One thread, whose stdio is flushed.
 */
int bounded_call(int (*work)(void *state), void *state, const char *path);

#endif
