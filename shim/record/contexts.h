/*
 * contexts.h - the application's contexts, and what culprit keeps in each: its streams, and the
 * memory and the side streams of the markers.
 */
#ifndef CULPRIT_RECORD_CONTEXTS_H
#define CULPRIT_RECORD_CONTEXTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "cuda_api.h"
#include "journal_format.h"
#include "marker_memory.h"

struct stream;

struct context {
	CUcontext handle;
	uint32_t id; /* in the journal, 0: no room */
	struct context_row *row;
	struct context *next;   /* in the list of all that live */
	pthread_mutex_t lock;   /* guards the next three; only the list's is taken outside it */
	struct stream *streams; /* by next_in_context */
	struct stream *retired; /* destroyed ones, oldest first, by next_retired */
	struct stream *newest_retired;
	struct marker_memory markers;
	uint64_t first_use; /* atomic: see contexts_used */
};

/* A call, by the id of its name, and the stack it came from. */
struct context_use {
	uint32_t call;
	uint32_t stack;
};

/*
 * The current context, made known at its first sight; NULL if none is current, or out of memory.
 * Calls the driver, so: no lock held. Any thread.
 */
struct context *contexts_current(void);

/* The context of a handle, made known at its first sight; NULL as above. */
struct context *contexts_of(CUcontext handle);

/*
 * Makes what markers need in the context, which is the current one, unless that was tried before.
 * Calls the driver: no lock held, never from a launch. Any thread.
 */
void contexts_prepare_markers(struct context *context);

/*
 * A context was destroyed (or may have been: then what is known of it is forgotten). Its id in the
 * journal, 0 if it was not known. Any thread.
 */
uint32_t contexts_destroyed(CUcontext handle);

/* How the context first came into use, as far as told. Only the first is kept. Any thread. */
void contexts_used(struct context *context, struct context_use use);

/* All zero: nobody has told. Any thread. */
struct context_use contexts_first_use(const struct context *context);

/* Calls `visit` for every context that lives, under the list's lock. Any thread. */
void contexts_for_each(void (*visit)(struct context *context, void *data), void *data);

#endif
