/*
 * context_making.h - what culprit makes in the application's contexts, and searches there, outside
 * launches. Nothing starts in a context that is ending, and the end waits for what has started.
 */
#ifndef CULPRIT_RECORD_CONTEXT_MAKING_H
#define CULPRIT_RECORD_CONTEXT_MAKING_H

struct context;

/*
 * Make what markers need in the context, unless that was tried before. Calls the driver: no lock
 * held, never from a launch. Any thread.
 */
void context_making_markers(struct context *context);

/*
 * Search for the driver's progress counters, if they are wanted, with what was made for markers. If
 * none is found, some later calls search again. As above.
 */
void context_making_search(struct context *context);

/* Note that the context has one more stream, for which markers may need more. As above. */
void context_making_grow(struct context *context);

#endif
