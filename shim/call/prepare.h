/*
 * prepare.h - make contexts ready for markers before the first launch in them.
 */
#ifndef CULPRIT_CALL_PREPARE_H
#define CULPRIT_CALL_PREPARE_H

struct context;

/*
 * Make what the context's markers and checks need, if any are wanted and nothing has failed. Called
 * when a context (NULL: none) is seen outside a launch. Returns the context. Calls the driver: no
 * lock held. Any thread.
 */
struct context *prepare_context(struct context *context);

/* The same for the current context. */
struct context *prepare_current_context(void);

#endif
