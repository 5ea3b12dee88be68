/*
 * contexts.h - the application's contexts, and what culprit keeps in each: its streams, and the
 * memory and the side streams of the markers.
 */
#ifndef CULPRIT_RECORD_CONTEXTS_H
#define CULPRIT_RECORD_CONTEXTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/progress/progress_channels.h"
#include "record/streams/marker_memory.h"

struct stream;

/* Whether a failure has ended a context: see failed_contexts.h, which alone changes it. */
enum context_failure {
	CONTEXT_SOUND,
	CONTEXT_FAILED,                /* with the failure that is attributed */
	CONTEXT_FAILED_LATER,          /* by itself, after that */
	CONTEXT_FAILED_LATER_RECEIVED, /* and a call has told the program */
};

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
	struct progress_channels progress; /* of a green one: unused, see contexts_progress() */
	uint64_t first_use;                /* atomic: see contexts_used */
	bool is_ending;                    /* atomic: a thread is about to destroy it */
	uint32_t n_users;                  /* atomic: threads that make or search something in it */
	uint32_t failure;                  /* atomic: enum context_failure */
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
 * The handle is that of a new green context of the primary one, and known as no other's. What
 * culprit makes for its markers belongs to the primary context, and stays when the green one goes.
 * NULL: out of memory. Calls the driver: no lock held. Any thread.
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
 * The channels that the context's work goes to: a green one's go to those of its primary one, by
 * turns with others' (H200, driver 580.159).
 */
static inline struct progress_channels *contexts_progress(struct context *context)
{
	/* It may end with its primary one meanwhile (context_end.c). */
	struct context *primary = __atomic_load_n(&context->primary, __ATOMIC_RELAXED);
	return primary ? &primary->progress : &context->progress;
}

/*
 * A thread is about to destroy the context: nothing is read or sent any more that goes with it, but
 * by who has a stream's lock already (streams_ending()). Who is making what markers need in it, or
 * searches it, is waited for. Going on: it was not destroyed. No lock held. Any thread.
 */
void contexts_ending(struct context *context);
void contexts_go_on(struct context *context);
static inline bool contexts_is_ending(const struct context *context)
{
	return __atomic_load_n(&context->is_ending, __ATOMIC_SEQ_CST);
}

/*
 * Around what a thread makes in the context, or searches there: contexts_ending() waits for it.
 * False: the context is ending. Any thread.
 */
bool contexts_hold(struct context *context);
void contexts_let_go(struct context *context);

/* Writes into the journal what its markers have come to. By who holds it, or makes it. */
void contexts_note_markers(struct context *context);

/*
 * Makes a context that was destroyed unknown: whoever takes it is the one to end it. NULL: it was
 * not known. Any thread.
 */
struct context *contexts_take(CUcontext handle);

/*
 * The same for a green context of the primary one, which goes with that; after the last that lives,
 * for one that was laid down before: what its markers had goes now. NULL: there is none left. Any
 * thread.
 */
struct context *contexts_take_green(const struct context *primary);

/* Notes in the journal that it was destroyed just now. Any thread. */
void contexts_note_end(const struct context *context);

/*
 * The context is gone: it can become another one, a green one that of the same primary context,
 * with whose markers it goes on; never, if a thread that makes something in it was waited for in
 * vain. No lock held. Any thread.
 */
void contexts_lay_down(struct context *context);

/* Is there more than one? Any thread. */
bool contexts_are_several(void);

/* How the context first came into use, as far as told. Only the first is kept. Any thread. */
void contexts_used(struct context *context, struct context_use use);

/* All zero: nobody has told. Any thread. */
struct context_use contexts_first_use(const struct context *context);

/* Calls `visit` for every context that lives, under the list's lock. Any thread. */
void contexts_for_each(void (*visit)(struct context *context, void *data), void *data);

/* Is, or was, there one whose GPU is shared with other processes by MPS? Any thread. */
bool contexts_are_shared(void);

/*
 * Is, or was, there one whose device cannot access what the host allocated without CUDA? Any
 * thread.
 */
bool contexts_lack_host_memory(void);

#endif
