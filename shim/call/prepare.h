/*
 * prepare.h - contexts made ready for markers before they are launched in.
 */
#ifndef CULPRIT_CALL_PREPARE_H
#define CULPRIT_CALL_PREPARE_H

struct context;

/*
 * Where a context (NULL: none) shows itself outside a launch, what its markers need is made, if any
 * are wanted and nothing has failed. Returns the context. Calls the driver: no lock held. Any
 * thread.
 */
struct context *prepare_context(struct context *context);

/* The same for the one that is current. */
struct context *prepare_current_context(void);

#endif
