/*
 * progress_trials.h - the words held against inline markers, where no synchronisation comes early
 * enough. Such a marker lies in the stream between two submissions: when it has landed the one
 * before it has finished, and none behind the next one can have begun. So between two looks at the
 * marker the channel's word lies in a narrow span of payloads; that it did is a trial. Where other
 * streams have work in between, on a channel of all of them, the span is TRIAL_SPAN from what has
 * finished, and a word beyond it is no trial. The last TRIAL_RING submissions with a marker are
 * remembered for it, until the stream's channel is trusted.
 */
#ifndef CULPRIT_RECORD_PROGRESS_TRIALS_H
#define CULPRIT_RECORD_PROGRESS_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_tracker.h"

enum { MAX_TRIALS = 1024 };

/* Is there still something to try with the newest submission's channel? Under the stream's lock. */
bool progress_trials_go_on(const struct progress_tracker *tracker);

/* An inline marker follows the newest submission. Under the stream's lock. */
void progress_trials_note(struct progress_tracker *tracker);

/*
 * A trial: `landed` tells the ordinal that the stream's inline marker shows. Under the stream's
 * lock.
 */
void progress_trials_try(struct progress_tracker *tracker, uint64_t (*landed)(const void *stream),
			 const void *stream);

#endif
