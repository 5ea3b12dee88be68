/*
 * failed_contexts.h - which contexts failed, as the driver reports in each of them. One failure
 * ends one context or all of a process, which depends on its kind and the driver. So the driver is
 * asked.
 *
 * Concurrency. Each context's state only rises: sound, then failed with the attributed failure; or
 * sound, then failed later, then failed later and received. A new context is sound.
 */
#ifndef CULPRIT_FAILURE_FAILED_CONTEXTS_H
#define CULPRIT_FAILURE_FAILED_CONTEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

struct context;

/*
 * Return the sticky code that the driver returns to a call that cannot fail by itself. Asks in the
 * context that the failing call was about (NULL: unknown), in the current one, then in each other
 * living one. CUDA_SUCCESS: every context that could be asked is sound, or none could be. The
 * host's stack of contexts and errno are unchanged. No lock held. Any thread.
 */
CUresult failed_contexts_code(struct context *about);

/*
 * Mark each context in which the driver now returns a sticky code, or all if are_all, as ended by
 * the attributed failure. The attributing thread only; no lock held.
 */
void failed_contexts_mark(bool are_all);

/*
 * After failed_contexts_mark(): set *out_id to the id of the one context that has failed, 0 if
 * there are several, and *out_device to the device that all failed ones have, else UINT32_MAX.
 * Green contexts count as their primary one. No lock held. Any thread.
 */
void failed_contexts_find_one(uint32_t *out_id, uint32_t *out_device);

/*
 * True if the current context was sound at the attributed failure and has failed since. A call has
 * returned a sticky code after the failure, and is the first to see this one. No lock held. Any
 * thread.
 */
bool failed_contexts_discover_later(void);

/*
 * True if the failure that ended the current context was returned to the program. Without a current
 * context, or in a sound one: true if the attributed failure was. Any thread.
 */
bool failed_contexts_are_received(void);

/* Note that an application's call returns a sticky code, after the failure. Any thread. */
void failed_contexts_receive(void);

/*
 * True if an error other than a sticky code may be the program's own mistake, as in a sound
 * context. If no context is current, or it cannot be asked: true if any living one is sound. No
 * lock held. Any thread.
 */
bool failed_contexts_are_sound_here(void);

#endif
