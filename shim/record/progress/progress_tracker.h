/*
 * progress_tracker.h - note the driver's own data about a stream's newest submission with that
 * submission in the journal. A launch reads some 60 bytes that the driver has just written, through
 * the driver's own pointer. It takes no lock, makes no system call and reads nothing that the GPU
 * writes.
 *
 * A stream is followed from its first submission after its context was searched. A default stream
 * has no handle to start from, so it is searched for while its first submissions are made.
 */
#ifndef CULPRIT_RECORD_PROGRESS_TRACKER_H
#define CULPRIT_RECORD_PROGRESS_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_default.h"
#include "record/progress/progress_states.h"

/* The notes about a stream's newest submission. */
struct progress_newest {
	uint64_t ordinal;            /* atomic: 0 while the rest is written, or if unknown */
	struct progress_pair kernel; /* the driver's object, and its use's number; 0: no kernel */
	uint32_t payload;
	uint32_t state; /* id of the kernel's word, 0: unknown */
	struct progress_channel *channel;
};

/* Store all but ordinal and channel, word by word: a checking thread may be reading it. */
static inline void progress_newest_put(struct progress_newest *newest,
				       const struct progress_newest *from)
{
	__atomic_store_n(&newest->kernel.object, from->kernel.object, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->kernel.value, from->kernel.value, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->payload, from->payload, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->state, from->state, __ATOMIC_RELAXED);
}

enum { SAMPLE_RING = 64 };

/* The newest submissions with an inline marker, for progress_samples.h. */
struct progress_samples {
	uint64_t n;
	uint32_t n_tries; /* at most MAX_SAMPLES for a stream, whatever their results */
	struct progress_newest ring[SAMPLE_RING];
};

/* An impossible address of an object: the stream is given up, or set aside. */
enum { PROGRESS_GIVEN_UP = 1 };

/* Written under the stream's lock; progress_tracker_check() reads what is newest without it. */
struct progress_tracker {
	const volatile uint64_t *place; /* where the driver names `object`; NULL: not followed */
	uint64_t object; /* atomic: see progress_tracker_give_up(); holds what follows */
	const volatile uint64_t *entries;
	const volatile struct progress_entry *entry;
	struct progress_newest newest;
	uint64_t channel_object; /* of newest.channel, as channel_id: the channel is far away */
	uint32_t channel_id;
	uint32_t next_state; /* which the next kernel will probably use */
	uint32_t n_tries;
	uint32_t stream; /* id in the journal; set when the stream is made, as those below */
	struct progress_state states[STREAM_STATES];
	struct progress_newest newest_kernel; /* the last kernel, if newest is not a kernel */
	/* The stream's: */
	struct progress_channels *channels; /* atomic */
	uint64_t handle;                    /* of an explicit stream, else 0 */
	uint64_t context;                   /* CUcontext, of a legacy stream, else 0 */
	struct progress_default *sought;    /* during its search */
	uintptr_t found;                    /* place of a default stream, once found */
	uint32_t n_searches;                /* for that */
	uint64_t adopted;                   /* `object` as found, whatever it is now */
	struct progress_samples *samples;   /* see progress_samples.h */
};

/* Return the number of the tracker's entries. Under the stream's lock, as the next function. */
static inline uint32_t progress_tracker_entries(const struct progress_tracker *tracker)
{
	return *(const volatile uint32_t *)((uintptr_t)tracker->entries - COUNT_BEFORE);
}

/* True if it has the one entry that is understood. */
static inline bool progress_tracker_has_entry(const struct progress_tracker *tracker)
{
	return LIKELY(*tracker->entries == (uintptr_t)tracker->entry) &&
	       LIKELY(progress_tracker_entries(tracker) == 1);
}

/*
 * Start anew with the data about the stream in `stream`. Memory is reused. Under the stream's lock.
 */
void progress_tracker_start(struct progress_tracker *tracker,
			    const struct progress_tracker *stream);

/*
 * Start to follow the stream, for the submission of `row` (may be NULL). False: it is not followed
 * (yet). Under the stream's lock.
 */
bool progress_tracker_follow(struct progress_tracker *tracker, const struct journal_record *row);

/* Forget all notes about the stream. Under the stream's lock. */
void progress_tracker_put_out(struct progress_tracker *tracker);

/*
 * Stop following the stream while another submission may come between the driver's accepting one
 * and its noting. Setting aside: any thread. Following again: under the stream's lock, while the
 * holder has no call in the driver.
 */
void progress_tracker_set_aside(struct progress_tracker *tracker);
void progress_tracker_follow_again(struct progress_tracker *tracker);

/* From now on it is unknown which kernel of the stream came last. Under the stream's lock. */
void progress_tracker_give_up_kernel(struct progress_tracker *tracker);

/* True if it is set aside. Any thread. */
bool progress_tracker_is_aside(const struct progress_tracker *tracker);

/* Stop following the stream for good, whatever other threads do, until it starts anew. Any thread.
 */
void progress_tracker_give_up(struct progress_tracker *tracker);

/* Forget the stream's objects, which the driver destroys. Under the stream's lock, as all below. */
void progress_tracker_forget(struct progress_tracker *tracker);

/*
 * The same for a context that is ending (progress_channels_ending()): if it stays after all, the
 * stream will be followed again. Under the stream's lock.
 */
void progress_tracker_pause(struct progress_tracker *tracker);

/* Check that the counters agree that everything up to `ordinal` is finished. Any thread. */
void progress_tracker_check(struct progress_tracker *tracker, uint64_t ordinal);

#endif
