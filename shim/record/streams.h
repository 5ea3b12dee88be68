/*
 * streams.h - the application's streams: which stream a call means, and the numbering of what is
 * submitted to it.
 *
 * A stream's lock is held from before the driver is called until the submission is numbered and
 * marked, so that ordinals are the driver's order. It is the outermost lock: those of maps, tables,
 * strings and the arena are taken inside it, none of the driver's callbacks takes it. Queries and
 * synchronisation never take it.
 *
 * The driver may block under it. Where the queue is full it would block the stream's other
 * submitters just the same. A copy that waits for the stream's work would not, and that work may
 * wait for what another thread submits: so who waits for the lock does so for a time only, and then
 * submits without a number.
 */
#ifndef CULPRIT_RECORD_STREAMS_H
#define CULPRIT_RECORD_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "contexts.h"
#include "cuda_api.h"
#include "journal_format.h"
#include "word_lock.h"

struct thread;

/* The first line of 64 bytes is what every launch reads; that of auto begins the second. */
struct stream {
	struct word_lock lock;
	uint32_t id;            /* in the journal, 0: no room */
	struct stream_row *row; /* row->submitted is written under lock */
	CUstream handle;        /* for our own calls: explicit, or CU_STREAM_LEGACY... */
	struct context *context;
	/* For markers.c, written under lock. */
	volatile uint32_t *word; /* the marker; NULL: none yet */
	uint64_t marked_ns;      /* when the newest marker was sent */
	uint64_t marked;         /* the ordinal that it follows */
	/* Of auto: */
	uint64_t marker_cost_ns; /* what one costs the host, on average */
	uint64_t probe;          /* the ordinal of a marker that is watched; 0: none is */
	uint64_t probe_ns;       /* when it was sent */
	bool is_behind;          /* is the GPU? As the newest watched marker tells */
	/* The rest of it is for markers sent and streams found. */
	uint32_t was_stuck;             /* atomic: the lock was once held for too long */
	bool is_retired;                /* in the list below; under context->lock, as the next */
	struct stream *next_in_context; /* of all, retired ones included */
	struct stream *next_retired;
	struct stream *next_of_thread; /* per-thread streams: the owner's next one */
	CUdeviceptr device_word;
	CUevent event;
	CUstream side;
};

/*
 * The stream that a call with this argument means: null stands for the thread's own default stream
 * if is_default_per_thread, else for the legacy one of the current context. Made known at its first
 * sight. NULL: no context, no memory. Calls the driver; no lock held. Slot owner only.
 */
struct stream *streams_of(struct thread *thread, CUstream handle, bool is_default_per_thread);

/* Takes the stream's lock. False: it was held for seconds, do without. Any thread. */
bool streams_lock(struct stream *stream);
void streams_unlock(struct stream *stream);

/* The newest ordinal that the driver accepted. Any thread. */
uint64_t streams_submitted(const struct stream *stream);

/* Everything up to `ordinal` is finished, as `call` (string id) proved. Any thread. */
void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call);

/* The row of an id that somebody kept, or NULL for 0; and back. Any thread. */
struct stream_row *streams_row(uint32_t id);
uint32_t streams_id(const struct stream_row *row);

/* An explicit stream is about to be destroyed; its handle may come back. Any thread. */
void streams_destroyed(CUstream handle);

/* The default streams of a thread that ends. Slot owner only. */
void streams_thread_ended(struct thread *thread);

/*
 * Drops all streams of a context that is gone. True: all their work is known to be finished, and
 * the context with its streams can be used for another one. Any thread.
 */
bool streams_context_destroyed(struct context *context);

/*
 * The streams of a green context that is gone: their handles are nobody's, but what they were given
 * may still run, and each is used again when its work is known to be finished. Any thread.
 */
void streams_retire_all(struct context *context);

/*
 * Calls `visit` for every stream of the context, retired ones included (their work may still run),
 * under the context's lock. Any thread.
 */
void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data);

/*
 * Work went where it could not be numbered (a stream without a row, no context): from then on no
 * verdict can be exact. Any thread.
 */
void streams_note_lost(void);
bool streams_lost(void);

#endif
