/*
 * context_making.h - what culprit makes in the application's contexts, and searches there, outside
 * launches. Nothing is begun in a context that is ending, and the end waits for what has begun.
 */
#ifndef CULPRIT_RECORD_CONTEXT_MAKING_H
#define CULPRIT_RECORD_CONTEXT_MAKING_H

struct context;

/*
 * Makes what markers need in the context, unless that was tried before. Calls the driver: no lock
 * held, never from a launch. Any thread.
 */
void context_making_markers(struct context *context);

/*
 * Searches for the driver's own words of its progress, if they are wanted, with what was made for
 * markers; again on later calls, some times, where nothing was found. As above.
 */
void context_making_search(struct context *context);

/* The context has one more stream, of which markers may want to know. As above. */
void context_making_grow(struct context *context);

#endif
