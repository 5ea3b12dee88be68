/*
 * words_order.h - what the driver's words prove of streams, once they are known not to contradict
 * anything: rule 11 of attribution.h.
 */
#ifndef CULPRIT_VERDICT_WORDS_ORDER_H
#define CULPRIT_VERDICT_WORDS_ORDER_H

#include "verdict/progress/progress.h"

/* A record of work that the journal knows to be finished: do the words agree? Else sets trouble. */
void words_check_done(struct progress *progress, const struct journal_record *record);

/*
 * Raises `done`, and notes what had begun last and what not: after progress_read, before
 * limits_raise_done. Sets trouble where words contradict the order of a stream.
 */
void words_apply(struct progress *progress);

/* Do the words agree with all that was proven? Else sets trouble. After limits_find. */
void words_check_limits(struct progress *progress);

/*
 * Is one strict suspect left by what the words cleared, of which they do not tell that it had
 * begun, or that it has ended? What failed had begun, and words that stick may say of others that
 * they had begun nothing more. True as well once the streams' next were spared for that. After
 * limits_find.
 */
bool words_leave_silent(const struct progress *progress);

/* Does that one not even seem to have begun? Somebody had. */
bool words_show_nobody(const struct progress *progress);

#endif
