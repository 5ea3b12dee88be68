/*
 * counters_order.h - what the driver's progress counters prove about streams, once they
 * contradict nothing: rule 11 of attribution.h.
 */
#ifndef CULPRIT_PROGRESS_COUNTERS_ORDER_H
#define CULPRIT_PROGRESS_COUNTERS_ORDER_H

#include "progress/progress.h"

/* Set trouble if the counters contradict this record of work that the journal knows as finished. */
void counters_check_done(struct progress *progress, const struct journal_record *record);

/*
 * Raise `done`, and note the last work that had started, and work that had not. Set trouble if
 * counters contradict the order of a stream. Call this between progress_read() and
 * limits_raise_done().
 */
void counters_apply(struct progress *progress);

/*
 * True if the counters prove that a submission had started, of which they say that. A channel's
 * counter must have been right often to prove alone that its newest work had (rule 11j).
 */
bool counters_surely_started(const struct progress *progress, enum counters_say said,
			     uint32_t channel, uint32_t payload);

/*
 * Let the counters clear no stream's next kernel (rule 11m). Call this between limits_raise_done()
 * and limits_find().
 */
void counters_spare_next(struct progress *progress);

/* Set trouble if the counters disagree with anything proven. Call this after limits_find(). */
void counters_check_limits(struct progress *progress);

/*
 * True if the counters cleared work, one strict suspect is left, and they do not show it running:
 * it may not have started, or is over. Failed work had started, and stuck counters may clear others
 * wrongly. Also true if the streams' next kernels were spared for that. Call this after
 * limits_find().
 */
bool counters_leave_silent(const struct progress *progress);

/* True if that suspect seems not to have started, although some work had. */
bool counters_show_none_running(const struct progress *progress);

#endif
