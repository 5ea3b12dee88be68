/*
 * progress_samples.h - check counters with inline markers, where no synchronisation comes early
 * enough. Such a marker is in the stream between two submissions. When it has landed, the one
 * before it has finished, and the one after the next marker cannot have started. So between two
 * reads of the marker, the channel's counter is in a narrow span of payloads; a trial checks that.
 * Other streams may have work in between on a shared channel. The span is then SAMPLE_SPAN from
 * what has finished, and a counter beyond it is no trial. The last SAMPLE_RING submissions with a
 * marker are remembered for it, until the stream's channel is trusted.
 */
#ifndef CULPRIT_RECORD_PROGRESS_SAMPLES_H
#define CULPRIT_RECORD_PROGRESS_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_tracker.h"

enum { MAX_SAMPLES = 1024 };

/* True if the newest submission's channel still needs trials. Under the stream's lock. */
bool progress_samples_go_on(const struct progress_tracker *tracker);

/* Note that an inline marker follows the newest submission. Under the stream's lock. */
void progress_samples_note(struct progress_tracker *tracker);

/*
 * Make a trial: `landed` returns the ordinal that the stream's inline marker shows. Under the
 * stream's lock.
 */
void progress_samples_take(struct progress_tracker *tracker, uint64_t (*landed)(const void *stream),
			   const void *stream);

#endif
