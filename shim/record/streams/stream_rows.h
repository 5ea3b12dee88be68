/*
 * stream_rows.h - one stream of the application as culprit keeps it, its row in the journal, and
 * what both say of its work: how much was submitted, and how much of that is known to be finished.
 * Which stream a call means, and its lock, are of streams.h.
 */
#ifndef CULPRIT_RECORD_STREAM_ROWS_H
#define CULPRIT_RECORD_STREAM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/host/word_lock.h"
#include "record/progress/progress_tracker.h"

struct context;

/* The first line of 64 bytes, and the next with what is newest, is what every launch reads. */
struct stream {
	struct word_lock lock;
	uint32_t id;             /* in the journal, 0: no room */
	struct stream_row *row;  /* row->submitted is written under lock */
	CUstream handle;         /* for our own calls: explicit, or CU_STREAM_LEGACY... */
	uint64_t quiet_until_ns; /* no marker before, where words tell; as those below */
	struct progress_tracker progress;
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
	uint32_t stuck_with;         /* atomic: who holds the lock for too long; 0: nobody */
	struct journal_record *open; /* atomic: at the driver without the lock; see streams_open */
	uint32_t n_beside;           /* atomic: calls at the driver beside who has the lock */
	uint32_t n_lives;            /* atomic: how many streams it has been */
	bool is_ended;               /* atomic: its handle is nobody's, or about to be */
	bool is_retired;             /* in the list below; under context->lock, as the next */
	struct stream *next_in_context; /* of all, retired ones included */
	struct stream *next_retired;
	struct stream *next_of_thread; /* per-thread streams: the owner's next one */
	CUdeviceptr device_word;
	CUevent event;
	CUstream side;
	uint32_t side_number; /* of row->side, once there is a side marker */
};

/*
 * A stream of the context with a row of its own, whose fields but for the context are all zero.
 * NULL: no row is left, or no memory. Takes the context's lock. Any thread.
 */
struct stream *stream_rows_make(struct context *context);

/* The newest ordinal that the driver accepted. Any thread. */
uint64_t streams_submitted(const struct stream *stream);

/* Everything up to `ordinal` is finished, as `call` (string id) proved. Any thread. */
void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call);

/*
 * Copies in every row what is submitted and finished, for the verdict: once, at the failure, when
 * markers have been read and before the driver's words are. Any thread.
 */
void streams_keep_counts(void);

/* The row of an id that somebody kept, or NULL for 0; and back. Any thread. */
struct stream_row *streams_row(uint32_t id);
uint32_t streams_id(const struct stream_row *row);

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
