/*
 * progress_channels.h - the channels of one context: the driver's words of what each has begun, and
 * how far they are believed.
 *
 * A channel is met when a submission names it. Its word is held against the truth at successful
 * synchronisations: the last submission of the stream has begun, so the word must be its payload,
 * or above it where other streams have submitted to the channel. It is trusted after
 * CHECKS_OF_TRUST trials in its context in which a word was the very payload, one of them its own:
 * some other counter would have been right about as many numbers that it cannot know. The rounds of
 * the search are such trials of the one or two channels that they went to: the others need one of
 * their own beside them. The verdict counts again, with the moment of the failure as one more trial
 * (trusted_channels.h). A word that is below once ends the belief in all words, in the whole
 * process.
 *
 * Who reads words does so between begin and end of a reading, for which the end of the context
 * waits: its pages go with it. For ten seconds at most: a call that is left by a jump while it
 * reads never ends that.
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
	const volatile struct progress_word *word;
	uint32_t id; /* in the journal */
	struct channel_row *row;
};

enum progress_ground_state {
	PROGRESS_NONE,
	PROGRESS_SEARCHING, /* by one thread; others go without */
	PROGRESS_READY,
	PROGRESS_MISSED, /* nothing was found */
};

/* All zero: not searched yet. */
struct progress_channels {
	uint32_t state;   /* atomic: enum progress_ground_state; READY publishes the ground */
	uint32_t n_tries; /* of the search, by one thread at a time */
	struct progress_ground ground;
	uint32_t context;     /* id in contexts */
	uint32_t n_checks;    /* atomic: of all its channels */
	uint32_t n_readers;   /* atomic */
	bool is_ending;       /* atomic: no reading begins any more */
	pthread_mutex_t lock; /* guards adding to the next two; innermost but for the journal's */
	uint32_t n;           /* atomic: published with release */
	struct progress_channel channels[MAX_CHANNELS];
};

/* Are the words to be searched for? Start-up only. */
void progress_channels_start(bool are_wanted);

bool progress_channels_are_wanted(void);

/* Is there a search to be made in the context? Any thread. */
bool progress_channels_may_search(const struct progress_channels *channels);

/*
 * Searches in the current context. False: another thread does. *out_trouble is why nothing was
 * found, for ever valid; NULL: it was. Calls the driver: no lock held, never from a launch. Any
 * thread.
 */
bool progress_channels_prepare(struct progress_channels *channels, uint32_t context,
			       struct progress_bench *bench, const char **out_trouble);

/*
 * What was found in the process. Written by the search of a context, which READY publishes, and by
 * progress_states.c, which has_state publishes. A variable, since every launch reads it.
 */
extern __attribute__((visibility("hidden"))) struct progress_layout progress_layout;

/* The channel with this object, if it is known; else NULL. Any thread. */
struct progress_channel *progress_channels_find(struct progress_channels *channels,
						uint64_t object);

/*
 * The channel with this object, made known at its first sight; NULL: it does not look like one, or
 * there is no room. Reads through `memory`, opened by the caller. Any thread.
 */
struct progress_channel *progress_channels_of(struct progress_channels *channels,
					      struct own_memory *memory, uint64_t object);

/* False: the context is ending, or nothing was found. Any thread. */
bool progress_channels_begin_reading(struct progress_channels *channels);
void progress_channels_end_reading(struct progress_channels *channels);

/* All up to `payload` has begun, for it is finished: so the word must say. While reading. */
void progress_channels_check(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload);

/* This payload has not begun while it is behind a gate that is closed. As above. */
void progress_channels_check_held(const struct progress_channel *channel, uint32_t payload,
				  const struct progress_gate *gate);

/* Was its word held against the truth, ever? Any thread. */
bool progress_channels_is_checked(const struct progress_channel *channel);

/* The word was right about this payload, which it could not know. Any thread. */
void progress_channels_count(struct progress_channels *channels, struct progress_channel *channel,
			     uint32_t payload);

/*
 * From now on no check changes a row: what the words said at the failure is held against what was
 * known of them then. Any thread.
 */
void progress_channels_keep(void);

/* Copies every word into its row, through `memory`: what has gone meanwhile is left out. */
void progress_channels_copy(struct progress_channels *channels, struct own_memory *memory);

/*
 * Calls `visit` with the word of each channel as it is now, read through `memory`. While reading.
 */
void progress_channels_visit(const struct progress_channels *channels, struct own_memory *memory,
			     void (*visit)(uint32_t id, const struct progress_word *word));

/*
 * The context's memory is about to go: waits for readers, a matter of nanoseconds, and none begins
 * before progress_channels_go_on(). Any thread.
 */
void progress_channels_ending(struct progress_channels *channels);
static inline bool progress_channels_are_ending(const struct progress_channels *channels)
{
	return __atomic_load_n(&channels->is_ending, __ATOMIC_SEQ_CST);
}

/* It has gone, with all that was known of it. */
void progress_channels_forget(struct progress_channels *channels);

/* It has not gone, after all; or another context is searched. */
void progress_channels_go_on(struct progress_channels *channels);

/*
 * The words contradicted what is known, as `reason` says, which lives for ever: nothing is believed
 * of them from now on. Any thread.
 */
void progress_refuse(const char *reason);

/* Why; NULL: they were not. Any thread. Written by the above, with release order. */
extern __attribute__((visibility("hidden"))) const char *progress_refusal;
static inline const char *progress_refused(void)
{
	return __atomic_load_n(&progress_refusal, __ATOMIC_ACQUIRE);
}

#endif
