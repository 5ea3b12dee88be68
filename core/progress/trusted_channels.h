/*
 * trusted_channels.h - which channels' progress counters are believed. The recorder
 * trusts a channel at its own check, once its context has had CHECKS_OF_TRUST of them
 * (journal_progress.h). A program that fails early, or whose streams use many channels, fails
 * before that. Then the checks are counted here, and the moment itself is one more check of a
 * channel: a trial.
 *
 * A channel passes the trial if its counter shows the highest number that a sync or a marker, not
 * a counter, proves finished. Up to SAMPLE_SPAN more is allowed, for what the channel was given
 * since. The landed marker of a kernel counts: its number is the next one.
 *
 * This is as good as a check of the recorder's. The number was given to the channel while it was
 * watched. So this process's submissions have moved the counter, in step and within what a check of
 * the recorder's allows (progress_samples.h). A counter that never moved, or is stuck, is lower
 * than what is finished. A channel without finished work is never believed, since a stuck counter
 * would show just that nothing had started. A number that the recorder has already checked is no
 * trial.
 *
 * A trial also needs the counter of a kernel that the channel was given. Only that one contradicts
 * a channel's counter that is ahead, which within SAMPLE_SPAN looks as good as a right one. So
 * channels with graphs alone, and those of copy engines, have no trial.
 *
 * A trial counts for its own channel alone. The recorder has checked the context's other channels,
 * and saw that their counters are in time, which counters that have stopped cannot show.
 */
#ifndef CULPRIT_PROGRESS_TRUSTED_CHANNELS_H
#define CULPRIT_PROGRESS_TRUSTED_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/moment.h"
#include "view/bundle_view.h"

/* Channels to try, which the recorder does not trust. Any further ones are not believed. */
enum { TRIED_CHANNELS_MAX = 32 };

/* A longer run exceeds this count of right checks: each sync that finds a channel idle counts. */
enum { BELIEF_OF_ONE = 32 };

struct tried_channel {
	uint32_t id;
	uint32_t finished; /* highest payload of a finished submission */
	uint32_t landed;   /* the same, with landed markers */
	bool has_finished;
	bool has_states; /* it was given kernels whose own counters were read */
	bool is_trusted;
	bool has_sample; /* its trust rests on the trial */
};

struct trusted_channels {
	uint32_t n;
	struct tried_channel channels[TRIED_CHANNELS_MAX];
	bool is_any;          /* at least one channel is believed */
	bool is_contradicted; /* a counter that was read is lower than what is finished, or than it
				 showed before (a check counted since the reading also looks so:
				 then counters are left out without need) */
};

/*
 * Find the channels that are trusted at that moment. Reads the rings once if there is a channel to
 * try. Any thread.
 */
void trusted_channels_find(const struct bundle_view *view, const struct moment *moment,
			   struct trusted_channels *out);

/* Return the row of a channel that is believed and whose counter was read, else NULL. */
const struct channel_row *trusted_channels_row(const struct bundle_view *view,
					       const struct trusted_channels *trust, uint32_t id);

/*
 * True if its trust rests on the trial. Then its counter may be ahead by SAMPLE_SPAN: work so near
 * to it has started only if another counter agrees.
 */
bool trusted_channels_is_tried(const struct trusted_channels *trust, uint32_t id);

/*
 * True if the channel's counter alone shows that the submission with this number had started. A
 * counter may be ahead by one, although no GPU's was seen to be. So the newest number that it shows
 * counts only if the counter was right BELIEF_OF_ONE times.
 */
bool trusted_channels_are_past(const struct bundle_view *view, const struct trusted_channels *trust,
			       uint32_t id, uint32_t payload);

/* Return how often its counter was checked and right, including the trial. */
uint32_t trusted_channels_checks(const struct bundle_view *view,
				 const struct trusted_channels *trust, uint32_t id);

#endif
