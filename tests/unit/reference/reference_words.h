/*
 * reference_words.h - rule 11 of attribution.h, for the reference: what the progress counters say
 * of each submission, and what that proves.
 */
#ifndef CULPRIT_TESTS_REFERENCE_WORDS_H
#define CULPRIT_TESTS_REFERENCE_WORDS_H

#include <stdbool.h>

#include "reference/order.h"

/* The last: they clear no kernel that its stream was to start next (rule 11m). */
enum words_use { WORDS_LEFT_OUT, WORDS_USED, WORDS_SPARING_NEXT };

/* Judge the story anew: what has finished, what holds streams back, with counters used so. */
void words_solve(struct story *story, enum words_use use);

/* True if they say more of a stream than all else does. Call it with limits. */
bool words_say_more(const struct story *story);

enum said words_said(const struct story *story, const struct journal_record *work);
bool words_say_started(enum said said);

/* Rule 11j: the same of work, by counters that cannot be ahead. */
bool words_surely_started(const struct story *story, const struct journal_record *work);

/* suspect_order.h: how suspect they make it. */
int words_weight(const struct story *story, const struct journal_record *work);

#endif
