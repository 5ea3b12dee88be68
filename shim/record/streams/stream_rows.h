/*
 * stream_rows.h - culprit's data about one stream of the application, and its row in the journal.
 * Both say how much was submitted, and how much of that is known to be finished. streams.h finds
 * the stream that a call means; stream_lock.h has its lock.
 */
#ifndef CULPRIT_RECORD_STREAM_ROWS_H
#define CULPRIT_RECORD_STREAM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"
#include "record/host/futex_lock.h"
#include "record/progress/progress_tracker.h"

struct context;

/* Every launch reads the first line of 64 bytes, and the newest data in the next line. */
struct stream {
	struct futex_lock lock;
	uint32_t id;             /* in the journal, 0: no room */
	struct stream_row *row;  /* row->submitted is written under lock */
	CUstream handle;         /* for our own calls: explicit, or CU_STREAM_LEGACY... */
	uint64_t quiet_until_ns; /* no marker before this time, with counters; under lock */
	struct progress_tracker progress;
	struct context *context;
	/* For markers.c, written under lock. */
	volatile uint32_t *word; /* the marker; NULL: none yet */
	uint64_t marked_ns;      /* when the newest marker was sent */
	uint64_t marked;         /* the ordinal that it follows */
	/* For auto: */
	uint64_t marker_cost_ns; /* a marker's average cost for the host */
	uint64_t probe;          /* the ordinal of a watched marker; 0: none */
	uint64_t probe_ns;       /* when it was sent */
	bool is_behind;          /* true if the GPU lags, by the newest watched marker */
	/* The rest is used when markers are sent and streams found. */
	uint32_t stuck_with;            /* atomic: thread that holds the lock too long; 0: none */
	struct journal_record *open;    /* atomic: in the driver without the lock: streams_open() */
	uint32_t n_beside;              /* atomic: calls in the driver beside the lock's holder */
	uint32_t n_lives;               /* atomic: how many streams used this memory */
	bool is_ended;                  /* atomic: its handle is invalid, or about to be */
	bool is_retired;                /* in the list of next_retired; both under context->lock */
	struct stream *next_in_context; /* of all, retired ones included */
	struct stream *next_retired;
	struct stream *next_of_thread; /* per-thread streams: the owner's next one */
	CUdeviceptr device_word;
	CUevent event;
	CUstream side;
	uint32_t side_number; /* of row->side, once there is a side marker */
};

/*
 * Make a stream of the context with a row of its own; its other fields are zero. NULL: no row is
 * left, or no memory. Takes the context's lock. Any thread.
 */
struct stream *stream_rows_make(struct context *context);

/* Return the newest ordinal that the driver accepted. Any thread. */
uint64_t streams_submitted(const struct stream *stream);

/* Note that everything up to `ordinal` is finished, as `call` (string id) proved. Any thread. */
void streams_finished(struct stream_row *row, uint64_t ordinal, uint32_t call);

/*
 * Copy in every row what is submitted and finished, for the verdict: once, at the failure, after
 * markers are read and before progress counters are. Any thread.
 */
void streams_freeze_counts(void);

/* Return the row of a kept id, or NULL for 0; and the id of a row. Any thread. */
struct stream_row *streams_row(uint32_t id);
uint32_t streams_id(const struct stream_row *row);

/*
 * Call `visit` for every stream of the context, retired ones included (their work may still run),
 * under the context's lock. Any thread.
 */
void streams_for_each(struct context *context, void (*visit)(struct stream *stream, void *data),
		      void *data);

/*
 * Note that work went where it could not be numbered (a stream without a row, no context). From
 * then on verdicts cannot be exact. Any thread. Signal-safe.
 */
void streams_note_lost(void);
bool streams_lost(void);

/*
 * Make the stream of the context with this handle. Its row names the thread `tid` as its maker.
 * NULL: no row is left, or no memory. Calls the driver: no lock held. Any thread.
 */
struct stream *stream_make(struct context *context, CUstream handle, enum stream_kind kind,
			   uint32_t tid);

#endif
