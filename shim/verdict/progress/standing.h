/*
 * standing.h - where each stream stands at a moment at which nothing has failed: what it has
 * finished, what it is at, and what keeps it. Nobody is accused.
 */
#ifndef CULPRIT_VERDICT_STANDING_H
#define CULPRIT_VERDICT_STANDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verdict/progress/driver_words.h"
#include "verdict/view/bundle_view.h"

/* What keeps a stream, its front being its earliest submission that is not known to be finished. */
enum standing_kind {
	STANDING_RUNS,     /* the front has begun */
	STANDING_MAY_RUN,  /* nothing tells whether it has begun, or has even finished */
	STANDING_EVENT,    /* it waits for an event behind unfinished work of another stream */
	STANDING_LEGACY,   /* the same by the legacy stream's barrier */
	STANDING_FUNCTION, /* a host function */
	STANDING_VALUE,    /* it waits for a value in memory */
	STANDING_QUEUE,    /* it has not begun: something else holds its queue of the GPU */
	N_STANDING_KINDS
};

struct standing {
	uint32_t stream;
	enum standing_kind kind;
	bool is_proven; /* that the front is unfinished, and stands as `kind` says */
	struct journal_record front;
	uint64_t done_sequence; /* of the newest that is finished, 0: none, or it is gone */
	uint64_t n_behind;      /* unfinished submissions behind the front */
	uint64_t newest_sequence;
	uint32_t source;          /* stream that is waited for; 0 none */
	uint64_t source_sequence; /* of the submission there that the wait is for; 0: it is gone */
	bool has_begun_ns;
	uint64_t begun_gpu_ns; /* by the GPU's clock, of what its queue has begun last */
};

enum { STANDINGS_MAX = 256 };

struct standings {
	uint32_t n; /* streams with unfinished work, by id */
	struct standing rows[STANDINGS_MAX];
	uint32_t n_unlisted;
	uint64_t n_unplaced; /* submissions of no known stream or order */
	bool has_words;      /* the driver's words were used */
	enum words_trouble trouble;
	/*
	 * The GPU's clock against CLOCK_MONOTONIC: GPU time + low <= monotonic <= GPU time + high,
	 * as far as any word tells.
	 */
	bool has_offset;
	int64_t offset_low, offset_high;
};

/* Scratch that standings_find() needs, in bytes. */
size_t standings_scratch(const struct bundle_view *view);

/*
 * Fills *out from a view whose channels, kernel states and markers were read at `now_ns`
 * (CLOCK_MONOTONIC), after the rest. 0; -ENOMEM: `scratch` is not aligned to 8 or too small;
 * -EBADMSG: the bundle contradicts itself. Any thread.
 */
int standings_find(const struct bundle_view *view, uint64_t now_ns, void *scratch,
		   size_t scratch_size, struct standings *out);

#endif
