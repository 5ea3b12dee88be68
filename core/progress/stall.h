/*
 * stall.h - the state of each stream at a moment without a failure: what it has finished, what
 * comes next, and what keeps it from finishing. It accuses no submission.
 */
#ifndef CULPRIT_PROGRESS_STALL_H
#define CULPRIT_PROGRESS_STALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "progress/driver_counters.h"
#include "view/bundle_view.h"

/* Reasons why a stream stands. Its front is its earliest submission that is not known to be
 * finished. */
enum stall_kind {
	STALL_RUNS,     /* the front has started */
	STALL_MAY_RUN,  /* it is not known whether the front has started, or even finished */
	STALL_EVENT,    /* it waits for an event after unfinished work of another stream */
	STALL_LEGACY,   /* the same, by the legacy stream's barrier */
	STALL_FUNCTION, /* the front is a host function */
	STALL_VALUE,    /* it waits for a value in memory */
	STALL_QUEUE,    /* it has not started: other work holds its queue of the GPU */
	N_STALL_KINDS
};

struct stall {
	uint32_t stream;
	enum stall_kind kind;
	bool is_proven; /* it is proven that the front is unfinished, and `kind` is right */
	struct journal_record front;
	uint64_t done_sequence; /* of the newest finished submission, 0: none, or it is lost */
	uint64_t n_behind;      /* unfinished submissions after the front */
	uint64_t newest_sequence;
	uint32_t source;          /* stream that it waits for; 0 none */
	uint64_t source_sequence; /* submission there that it waits for; 0: it is lost */
	bool has_started_ns;
	uint64_t started_gpu_ns; /* start, by the GPU's clock, of the front, its queue's newest */
};

enum { STALLS_MAX = 256 };

struct stalls {
	uint32_t n; /* streams with unfinished work, by id */
	struct stall rows[STALLS_MAX];
	uint32_t n_unlisted;
	uint64_t n_unplaced; /* submissions without a known stream or order */
	bool has_counters;   /* the driver's counters were used */
	enum counters_trouble trouble;
	/*
	 * The GPU's clock relative to CLOCK_MONOTONIC, as far as any counter shows:
	 * GPU time + low <= monotonic <= GPU time + high.
	 */
	bool has_offset;
	int64_t offset_low, offset_high;
};

/* Return "runs", "may_run", "event", ...: the word for programs, which never changes. */
const char *stall_label(enum stall_kind kind);

/* Return the scratch that stalls_find() needs, in bytes. */
size_t stalls_scratch(const struct bundle_view *view);

/* When a view's channels, kernel states and markers were read. */
struct reading_time {
	uint64_t ns;  /* CLOCK_MONOTONIC; 0: they were not read */
	bool is_past; /* before the rest of the view, by the last snapshot of a process that ended
		       */
};

/*
 * Fill *out from a view whose channels, kernel states and markers were read at that time. Returns
 * 0, -ENOMEM if `scratch` is not aligned to 8 or too small, or -EBADMSG if the bundle contradicts
 * itself. Any thread.
 */
int stalls_find(const struct bundle_view *view, const struct reading_time *read, void *scratch,
		size_t scratch_size, struct stalls *out);

#endif
