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
	CUdevice device;         /* -1: the driver does not tell */
	struct context *primary; /* of a green context: the one that has its memory; else NULL */
	struct context *next;    /* in the list of all that live */
	pthread_mutex_t lock;    /* guards the next three; only the list's is taken outside it */
	struct stream *streams;  /* by next_in_context */
	struct stream *retired;  /* destroyed ones, oldest first, by next_retired */
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

/* The same, but NULL for one that is not known, of which the driver is not asked. Any thread. */
struct context *contexts_known(CUcontext handle);

/*
 * The handle is that of a new green context of the primary one. What culprit makes for its markers
 * belongs to the primary context, and stays when the green one goes. NULL: out of memory. Calls the
 * driver: no lock held. Any thread.
 */
struct context *contexts_add_green(CUcontext handle, struct context *primary);

/* The id of the context that memory belongs to which is allocated in this one. Any thread. */
uint32_t contexts_memory_id(const struct context *context);

/*
 * For calls of our own: makes the context current, unless it is; instead of a green one, which may
 * be current to one thread only, its primary one. False: the driver refuses. Leaving undoes it.
 */
bool contexts_enter(const struct context *context, bool *out_has_pushed);
void contexts_leave(bool has_pushed);

/*
 * Makes what markers need in the context, unless that was tried before. Calls the driver: no lock
 * held, never from a launch. Any thread.
 */
void contexts_prepare_markers(struct context *context);

/* The context has one more stream, of which markers may want to know. As above. */
void contexts_grow_markers(struct context *context);

/*
 * A context was destroyed (or may have been: then what is known of it is forgotten), and its green
 * ones with it. Its id in the journal; 0 if it was not known or has no memory of its own. Any
 * thread.
 */
uint32_t contexts_destroyed(CUcontext handle);

/* Is there more than one? Any thread. */
bool contexts_are_several(void);

/* How the context first came into use, as far as told. Only the first is kept. Any thread. */
void contexts_used(struct context *context, struct context_use use);

/* All zero: nobody has told. Any thread. */
struct context_use contexts_first_use(const struct context *context);

/* Calls `visit` for every context that lives, under the list's lock. Any thread. */
void contexts_for_each(void (*visit)(struct context *context, void *data), void *data);

#endif
