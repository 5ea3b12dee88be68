/*
 * progress_channels.h - the channels of one context: the driver's progress counters, which say what
 * each channel has started, and how far they are believed.
 *
 * A channel is discovered when a submission names it. Its counter is checked at successful
 * synchronisations. The stream's last submission has started, so the counter must be its payload,
 * or above if other streams have submitted to the channel. A counter is trusted after
 * CHECKS_OF_TRUST trials in its context in which a counter was exactly the payload, one of them its
 * own: some other counter would have to be right about as many numbers that it cannot know. The
 * rounds of the search are such trials of the one or two channels that they went to. Other channels
 * also need one trial of their own. The verdict counts again, with the moment of the failure as one
 * more trial (trusted_channels.h). If a counter is too low once, all counters in the whole process
 * are distrusted.
 *
 * A thread reads counters between begin and end of a reading. The context's end, which unmaps its
 * pages, waits for readings, but for ten seconds at most: a call left by a jump while it reads
 * never ends its reading.
 */
#ifndef CULPRIT_RECORD_PROGRESS_CHANNELS_H
#define CULPRIT_RECORD_PROGRESS_CHANNELS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "record/progress/progress_layout.h"
#include "record/progress/progress_search.h"

enum { MAX_CHANNELS = 64 };

struct progress_channel {
	uint64_t object;
	const volatile struct progress_counter *word;
	uint32_t id; /* in the journal */
	struct channel_row *row;
	bool is_comparing;        /* atomic: a thread compares the clocks */
	uint64_t compared_raw_ns; /* when it did, by CLOCK_MONOTONIC_RAW; guarded by that */
};

enum progress_search_state {
	PROGRESS_NONE,
	PROGRESS_SEARCHING, /* by one thread; others go without */
	PROGRESS_READY,
	PROGRESS_MISSED, /* the search found nothing */
};

/* All zero: not searched yet. */
struct progress_channels {
	uint32_t state;   /* atomic: enum progress_search_state; READY publishes the ground */
	uint32_t n_tries; /* of the search, by one thread at a time */
	struct counter_map counter_map;
	uint32_t context;     /* id in contexts */
	uint32_t n_checks;    /* atomic: of all its channels */
	uint32_t n_readers;   /* atomic */
	bool is_ending;       /* atomic: no reading may start */
	pthread_mutex_t lock; /* guards n and channels; innermost but for the journal's */
	uint32_t n;           /* atomic: published with release */
	struct progress_channel channels[MAX_CHANNELS];
};

/* Set whether counters are searched for. Start-up only. */
void progress_channels_start(bool are_wanted);

bool progress_channels_are_wanted(void);

/* True if the context is still to be searched. Any thread. */
bool progress_channels_may_search(const struct progress_channels *channels);

/*
 * Search in the current context. False: another thread does. *out_trouble is a static text that
 * says why nothing was found; NULL: it was. Calls the driver: no lock held, never from a launch.
 * Any thread.
 */
bool progress_channels_prepare(struct progress_channels *channels, uint32_t context,
			       struct probe_streams *probe, const char **out_trouble);

/*
 * The layout found in the process. Written by the search of a context, published by READY, and by
 * progress_states.c, published by has_state. A variable, because every launch reads it.
 */
extern __attribute__((visibility("hidden"))) struct progress_layout progress_layout;

/* Return the channel with this object if it is known, else NULL. Any thread. */
struct progress_channel *progress_channels_find(struct progress_channels *channels,
						uint64_t object);

/*
 * Return the channel with this object, discovering it if it is new. NULL: it does not look like a
 * channel, or there is no room. Reads through `memory`, opened by the caller. Any thread.
 */
struct progress_channel *progress_channels_of(struct progress_channels *channels,
					      struct own_memory *memory, uint64_t object);

/* Begin to read. False: the context is ending, or nothing was found. Any thread. */
bool progress_channels_begin_reading(struct progress_channels *channels);
void progress_channels_end_reading(struct progress_channels *channels);

/* Check that the counter has reached `payload`: work up to it is finished. While reading. */
void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload);

/* Check that this payload has not started, as it is after a closed gate. While reading. */
void progress_channels_check_held(const struct progress_channel *channel, uint32_t payload,
				  const struct progress_gate *gate);

/* True if its counter was ever checked. Any thread. */
bool progress_channels_is_checked(const struct progress_channel *channel);

/* Count a trial: the counter was right about this payload, which it could not know. Any thread. */
void progress_channels_count(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload);

/*
 * Freeze the rows: from now on no check changes one, so that the counters at the failure are
 * compared with what was known of them then. Any thread.
 */
void progress_channels_freeze(void);

/* Copy every counter into its row, through `memory`. Skips memory that was unmapped meanwhile. */
void progress_channels_copy(struct progress_channels *channels, struct own_memory *memory);

/* Call `visit` with each channel's present counter, read through `memory`. While reading. */
void progress_channels_visit(const struct progress_channels *channels, struct own_memory *memory,
			     void (*visit)(uint32_t id, const struct progress_counter *word));

/*
 * The context's memory is about to be unmapped: wait for readers, which takes nanoseconds. No
 * reading starts before progress_channels_go_on(). Any thread.
 */
void progress_channels_ending(struct progress_channels *channels);
static inline bool progress_channels_are_ending(const struct progress_channels *channels)
{
	return __atomic_load_n(&channels->is_ending, __ATOMIC_SEQ_CST);
}

/* Forget the channels, whose memory was unmapped. */
void progress_channels_forget(struct progress_channels *channels);

/* Allow readings again: the memory is still there, or another context is searched. */
void progress_channels_go_on(struct progress_channels *channels);

/*
 * Distrust all counters from now on: they contradicted what is known, as the static text `reason`
 * says. Any thread.
 */
void progress_refuse(const char *reason);

/* Return that reason; NULL: they are not distrusted. Any thread. Stored with release order. */
extern __attribute__((visibility("hidden"))) const char *progress_refusal;
static inline const char *progress_refused(void)
{
	return __atomic_load_n(&progress_refusal, __ATOMIC_ACQUIRE);
}

/*
 * progress_kernels.c: after a search that has found channels, run kernels of our own, so that
 * kernels' states (progress_states.h) are known before the program's first kernel.
 *
 * Run STATE_SAMPLES kernels on the GPU in the channels' context. Each is held back until it is seen
 * that its state does not say finished, and its channel's counter does not say started. Has no
 * effect if the driver fills memory without kernels. Uses the probe streams of the search; may be
 * repeated. Calls the driver: no lock held.
 */
void progress_kernels_try(struct probe_streams *probe, struct progress_channels *channels);

/*
 * progress_probes.c: after a search that has found channels, give work of our own to the other
 * ones, too, so that their counters are checked before the program uses them. Otherwise a program
 * whose streams fail at their first submission leaves unchecked counters.
 *
 * Make some streams in the channels' context, which is current. Streams get channels by turns
 * (H200, driver 580.159: eight, which streams of all priorities share, in an order of the driver's
 * own; CUDA_DEVICE_MAX_CONNECTIONS sets the number). Each gets another number of submissions than
 * the one before, so that neighbours' counters differ; all are destroyed again. Uses the probe
 * streams of the search, as its last user. Ends at the first stream that the GPU does not finish.
 * Calls the driver: no lock held.
 */
void progress_probes_try(const struct probe_streams *probe, struct progress_channels *channels);

#endif
