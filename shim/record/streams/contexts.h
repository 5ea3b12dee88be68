/*
 * contexts.h - the application's contexts, and what culprit keeps in each: its streams, and the
 * markers' memory and side streams.
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

/* A failure's effect on a context. Only failed_contexts.c changes it. */
enum context_failure {
	CONTEXT_SOUND,
	CONTEXT_FAILED,                /* with the attributed failure */
	CONTEXT_FAILED_LATER,          /* by itself, after that */
	CONTEXT_FAILED_LATER_RECEIVED, /* and a call has returned it to the program */
};

struct context {
	CUcontext handle;
	uint32_t id; /* in the journal, 0: no room */
	struct context_row *row;
	CUdevice device;         /* -1: the driver does not say */
	struct context *primary; /* of a green context: the one that has its memory; else NULL */
	struct context *next;    /* in the list of living ones */
	pthread_mutex_t lock;    /* guards streams and retired ones; only list_lock is outside it */
	struct stream *streams;  /* by next_in_context */
	struct stream *retired;  /* destroyed ones, oldest first, by next_retired */
	struct stream *newest_retired;
	struct marker_memory markers;
	struct progress_channels progress; /* of a green one: unused, see contexts_progress() */
	uint64_t first_use;                /* atomic: see contexts_used */
	bool is_ending;                    /* atomic: a thread is about to destroy it */
	uint32_t n_users;                  /* atomic: threads that make or search in it */
	uint32_t failure;                  /* atomic: enum context_failure */
};

/* A call, by the id of its name, and its stack. */
struct context_use {
	uint32_t call;
	uint32_t stack;
};

/*
 * `is_ptx_forced`: the driver ignores machine code that comes with PTX, so the compute capability
 * says nothing about the code that runs. Once, before the first context.
 */
void contexts_start(bool is_ptx_forced);

/* Return the device's compute capability, 90 for 9.0; 0: the driver does not say. Any thread. */
uint32_t contexts_capability(CUdevice device);

/*
 * Return the current context, discovering it if it is new; NULL if none is current, or out of
 * memory. Calls the driver: no lock held. Any thread.
 */
struct context *contexts_current(void);

/* Return the context of a handle, discovering it if it is new; NULL as above. */
struct context *contexts_of(CUcontext handle);

/* The same, but NULL for an unknown context. The driver is not asked. Any thread. */
struct context *contexts_known(CUcontext handle);

/*
 * Add a new green context of the primary one. No other context is known by its handle. The things
 * that culprit makes for its markers belong to the primary context, and outlive the green one.
 * NULL: out of memory. Calls the driver: no lock held. Any thread.
 */
struct context *contexts_add_green(CUcontext handle, struct context *primary);

/* Return the id of the context that owns memory allocated in this one. Any thread. */
uint32_t contexts_memory_id(const struct context *context);

/*
 * Make the context current for calls of our own, unless it is. For a green context, which only one
 * thread may have current, take its primary one. False: the driver refuses. contexts_leave() undoes
 * it.
 */
bool contexts_enter(const struct context *context, bool *out_has_pushed);
void contexts_leave(bool has_pushed);

/*
 * Return the channels of the context's work: a green one's work goes to those of its primary one,
 * by turns with others' (H200, driver 580.159).
 */
static inline struct progress_channels *contexts_progress(struct context *context)
{
	/* It may end with its primary one meanwhile (context_end.c). */
	struct context *primary = __atomic_load_n(&context->primary, __ATOMIC_RELAXED);
	return primary ? &primary->progress : &context->progress;
}

/*
 * A thread is about to destroy the context. From now on nothing that belongs to it is read or sent,
 * except by a thread that already has a stream's lock (streams_ending()). Waits for threads that
 * make what markers need in it, or search it. contexts_go_on(): it was not destroyed. No lock held.
 * Any thread.
 */
void contexts_ending(struct context *context);
void contexts_go_on(struct context *context);
static inline bool contexts_is_ending(const struct context *context)
{
	return __atomic_load_n(&context->is_ending, __ATOMIC_SEQ_CST);
}

/*
 * Bracket what a thread makes or searches in the context: contexts_ending() waits for it. If
 * contexts_hold() returns false, the context is ending. Any thread.
 */
bool contexts_hold(struct context *context);
void contexts_let_go(struct context *context);

/* Journal the state of its markers. Only a thread that holds the context, or makes it. */
void contexts_note_markers(struct context *context);

/*
 * Remove and return a context that was destroyed; the thread that gets it is the one to end it.
 * NULL: it was not known. Any thread.
 */
struct context *contexts_take(CUcontext handle);

/*
 * The same for a green context of the primary one, which ends with that. After the last living one,
 * returns green contexts laid down earlier, whose markers lose their memory now. NULL: none is
 * left. Any thread.
 */
struct context *contexts_take_green(const struct context *primary);

/* Journal that it was destroyed just now. Any thread. */
void contexts_note_end(const struct context *context);

/*
 * Keep an ended context for reuse as another one. A green one is reused for the same primary
 * context, whose markers it keeps using. It is never reused if a thread that makes something in it
 * was waited for in vain. No lock held. Any thread.
 */
void contexts_lay_down(struct context *context);

/* True if there is more than one. Any thread. */
bool contexts_are_several(void);

/* True if there is just one, besides green ones. Any thread. Signal-safe. */
bool contexts_are_one(void);

/* Note how the context first came into use; only the first note is kept. Any thread. */
void contexts_used(struct context *context, struct context_use use);

/* Return that note. All zero: there is none. Any thread. */
struct context_use contexts_first_use(const struct context *context);

/* Call `visit` for every living context, under the list's lock. Any thread. */
void contexts_for_each(void (*visit)(struct context *context, void *data), void *data);

/* True if MPS shares, or shared, the GPU of a context with other processes. Any thread. */
bool contexts_are_shared(void);

/*
 * True if the device of a present or past context cannot access what the host allocated without
 * CUDA, or accesses it by the process's page tables: the report needs the process's mappings. Any
 * thread.
 */
bool contexts_need_host_mappings(void);

#endif
