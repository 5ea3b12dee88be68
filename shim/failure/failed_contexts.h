/*
 * failed_contexts.h - which contexts a failure has ended, as the driver says in each of them. One
 * failure ends one context or all of a process, by its kind and by the driver, so the driver is
 * asked.
 *
 * Concurrency. Each context's state only rises: sound, then failed with the attributed failure, or
 * failed later, then failed later and received. A context that is made anew is sound.
 */
#ifndef CULPRIT_FAILURE_FAILED_CONTEXTS_H
#define CULPRIT_FAILURE_FAILED_CONTEXTS_H

#include <stdbool.h>

#include "base/cuda_api.h"

struct context;

/*
 * The sticky code that the driver returns to a call that cannot fail by itself: asked in the
 * context that the failing call was about (NULL: not known), in the current one, then in each
 * other that lives. CUDA_SUCCESS: every context that could be asked is sound, or none could be
 * asked. The host's stack of contexts and its errno stay as they are. No lock held. Any thread.
 */
CUresult failed_contexts_code(struct context *about);

/*
 * Mark each context in which the driver now returns a sticky code, or all if are_all: they ended
 * with the attributed failure. The attributing thread's alone; no lock held.
 */
void failed_contexts_mark(bool are_all);

/*
 * A call returned a sticky code after the failure. True if the current context was sound when the
 * attributed failure happened, and has failed since: this call is the first to see it. No lock
 * held. Any thread.
 */
bool failed_contexts_discover_later(void);

/*
 * Has the failure that ended the current context been returned to the program? Without a current
 * context, or in a sound one: has the attributed failure? Any thread.
 */
bool failed_contexts_are_received(void);

/* An application's call returns a sticky code, after the failure. Any thread. */
void failed_contexts_receive(void);

/*
 * Could an error that is not a sticky code be the program's own mistake? True in a sound context.
 * If the current context cannot be asked, or there is none: true if any sound one lives. No lock
 * held. Any thread.
 */
bool failed_contexts_are_sound_here(void);

#endif
