/*
 * trusted_channels.h - of which channels the driver's words are believed. The recorder trusts a
 * channel at its own check that makes CHECKS_OF_TRUST in its context (journal_progress.h). A
 * program that fails early, or whose streams come by many channels, fails before: then the same
 * count is taken here, and the moment itself is one more check, a trial, of a channel.
 *
 * A trial is that the word shows the highest number that the journal knows to be finished, by a
 * sync or a marker and by no word, or up to TRIAL_SPAN more: what the channel was given since. The
 * number of a kernel's landed marker counts, it is the next one. Why it is a check as good as the
 * recorder's: the number was given to the channel while it was watched, so the word has been moved
 * by what this process submitted, in step with it, to within what a check of the recorder's allows
 * (progress_trials.h). A word that has never moved, or has stuck before, is behind what is
 * finished; a channel of which nothing is known to be finished is never believed, whatever its word
 * shows, since one that is stuck would show just that nothing had begun. A number that the recorder
 * has checked already is no trial.
 *
 * Nor is a trial one where the word of no kernel that it was given was read: such a word
 * contradicts a channel's that is ahead, which to within TRIAL_SPAN is as good as one that is
 * right. So none is of a channel of graphs alone, nor of a copy engine's.
 *
 * A trial counts for its own channel alone: the others in the context have been checked by the
 * recorder, which saw that their words come in time, as no look at words that stand still can.
 */
#ifndef CULPRIT_VERDICT_TRUSTED_CHANNELS_H
#define CULPRIT_VERDICT_TRUSTED_CHANNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/progress/moment.h"
#include "verdict/view/bundle_view.h"

/* Those that the recorder does not trust; of more, the rest is not believed. */
enum { TRIED_CHANNELS_MAX = 32 };

/* A process that runs for a while comes to more: each sync that finds a channel idle counts. */
enum { BELIEF_OF_ONE = 32 };

struct tried_channel {
	uint32_t id;
	uint32_t finished; /* highest payload of a finished submission, */
	uint32_t landed;   /* and with the landed markers */
	bool has_finished;
	bool has_states; /* was given kernels, words of which were read */
	bool is_trusted;
	bool has_trial; /* its trust rests on it */
};

struct trusted_channels {
	uint32_t n;
	struct tried_channel channels[TRIED_CHANNELS_MAX];
	bool is_any;          /* is there a channel that is believed? */
	bool is_contradicted; /* the word of one that was read is behind what is finished, or behind
				 what it has shown (a check that was counted since the reading
				 makes it look so too: then words are left out in vain) */
};

/* At that moment. Reads the rings once if there is a channel to try. Any thread. */
void trusted_channels_find(const struct bundle_view *view, const struct moment *moment,
			   struct trusted_channels *out);

/* The row of a channel that is believed, and whose word was read; NULL: it is not. */
const struct channel_row *trusted_channels_row(const struct bundle_view *view,
					       const struct trusted_channels *trust, uint32_t id);

/*
 * Does its trust rest on the trial? Then its word may be ahead by TRIAL_SPAN, and where no other
 * word agrees nothing so near to it is known to have begun.
 */
bool trusted_channels_is_tried(const struct trusted_channels *trust, uint32_t id);

/*
 * Does its word show by itself that what has this number had begun? A word may be ahead by one, as
 * none of a GPU was seen to be: the newest that it shows is then known only where the word was
 * right BELIEF_OF_ONE times.
 */
bool trusted_channels_are_past(const struct bundle_view *view, const struct trusted_channels *trust,
			       uint32_t id, uint32_t payload);

/* How often its word was held against the truth, with the moment itself. */
uint32_t trusted_channels_checks(const struct bundle_view *view,
				 const struct trusted_channels *trust, uint32_t id);

#endif
