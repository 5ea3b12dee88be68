/*
 * progress_tracker.h - what the driver says of one stream's newest submission, noted with that in
 * the journal. A launch reads some 60 bytes that the driver has just written, behind its own
 * pointer: no lock, no system call, nothing that the GPU writes.
 *
 * A stream is followed from the first submission on that finds its context searched; a default
 * stream has no handle to start from and is sought while the first ones go to it.
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

/* What was noted of a stream's newest submission. */
struct progress_newest {
	uint64_t ordinal;            /* atomic: 0 while the rest is written, or nothing is known */
	struct progress_pair kernel; /* the driver's object, and which use of it; 0: no kernel */
	uint32_t payload;
	uint32_t state; /* id of the kernel's word, 0 unknown */
	struct progress_channel *channel;
};

/* All but the ordinal and the channel, word by word: who checks may be reading it. */
static inline void progress_newest_put(struct progress_newest *newest,
				       const struct progress_newest *from)
{
	__atomic_store_n(&newest->kernel.object, from->kernel.object, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->kernel.value, from->kernel.value, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->payload, from->payload, __ATOMIC_RELAXED);
	__atomic_store_n(&newest->state, from->state, __ATOMIC_RELAXED);
}

enum { TRIAL_RING = 64 };

/* Submissions that an inline marker follows, the newest ones: for progress_trials.h. */
struct progress_trials {
	uint64_t n;
	uint32_t n_tries; /* MAX_TRIALS of a stream are enough, however they end */
	struct progress_newest ring[TRIAL_RING];
};

/* No object has such an address: the stream is given up, or set aside. */
enum { PROGRESS_GIVEN_UP = 1 };

/* Written under the stream's lock; progress_tracker_check() reads what is newest without it. */
struct progress_tracker {
	const volatile uint64_t *place; /* where the driver names `object`; NULL: not followed */
	uint64_t object; /* atomic: see progress_tracker_give_up(); what follows is in it */
	const volatile uint64_t *entries;
	const volatile struct progress_entry *entry;
	struct progress_newest newest;
	uint64_t channel_object; /* of newest.channel, as the next: it lies far away */
	uint32_t channel_id;
	uint32_t next_state; /* the one that the next kernel will probably use */
	uint32_t n_tries;
	uint32_t stream; /* id in the journal; of the stream, set when it is made, as those below */
	struct progress_state states[STREAM_STATES];
	struct progress_newest newest_kernel; /* the kernel before newest, where that is none */
	/* Of the stream: */
	struct progress_channels *channels; /* atomic */
	uint64_t handle;                    /* of an explicit stream, else 0 */
	uint64_t context;                   /* CUcontext, of a legacy stream, else 0 */
	struct progress_default *sought;    /* while it is sought */
	uintptr_t found;                    /* the place of a default stream, once it was found */
	uint32_t n_searches;                /* for that */
	uint64_t adopted;                   /* `object` as it was found, however it is now */
	struct progress_trials *trials;     /* see progress_trials.h */
};

/* How many entries the driver's tracker has. Under the stream's lock, as the next. */
static inline uint32_t progress_tracker_entries(const struct progress_tracker *tracker)
{
	return *(const volatile uint32_t *)((uintptr_t)tracker->entries - COUNT_BEFORE);
}

/* Has it the one entry that is understood? */
static inline bool progress_tracker_has_entry(const struct progress_tracker *tracker)
{
	return USUALLY(*tracker->entries == (uintptr_t)tracker->entry) &&
	       USUALLY(progress_tracker_entries(tracker) == 1);
}

/*
 * Begins anew with what is told of the stream in `stream`; memory is used again. Under the stream's
 * lock.
 */
void progress_tracker_start(struct progress_tracker *tracker,
			    const struct progress_tracker *stream);

/*
 * Finds what is told of the stream, for the submission of `row` (may be NULL). False: it is not
 * followed (yet). Under the stream's lock.
 */
bool progress_tracker_follow(struct progress_tracker *tracker, const struct journal_record *row);

/* Nothing is known of the stream any more. Under the stream's lock. */
void progress_tracker_put_out(struct progress_tracker *tracker);

/*
 * The driver has accepted the submission with this ordinal: fills in its row (NULL: none). True: it
 * is known which channel has it. Under the stream's lock.
 */
bool progress_tracker_note(struct progress_tracker *tracker, uint64_t ordinal,
			   struct journal_record *row);

/*
 * From now on another submission may come between the driver's taking of one and its noting: the
 * stream is not followed, until nobody can do so any more. Setting aside: any thread; following
 * again: under the stream's lock, with nothing of the holder's at the driver.
 */
void progress_tracker_set_aside(struct progress_tracker *tracker);
void progress_tracker_follow_again(struct progress_tracker *tracker);

/* Which kernel of the stream came last is not known from now on. Under the stream's lock. */
void progress_tracker_give_up_kernel(struct progress_tracker *tracker);

/* Is it left alone for that? Any thread. */
bool progress_tracker_is_aside(const struct progress_tracker *tracker);

/* The stream is followed no more, whoever says otherwise, until it begins anew. Any thread. */
void progress_tracker_give_up(struct progress_tracker *tracker);

/* The stream's objects are about to go, or have gone. Under the stream's lock, as all below. */
void progress_tracker_forget(struct progress_tracker *tracker);

/*
 * The same of a context that is ending (progress_channels_ending()): if it goes on, the stream will
 * be followed again. Under the stream's lock.
 */
void progress_tracker_pause(struct progress_tracker *tracker);

#endif
