/*
 * reference_time.h - rule 17 of attribution.h, for the reference: when work started, compared with
 * the time of the fault.
 */
#ifndef CULPRIT_TESTS_REFERENCE_TIME_H
#define CULPRIT_TESTS_REFERENCE_TIME_H

#include <stdbool.h>

#include "reference/order.h"

/* True if it started after the fault was noticed. */
bool time_is_later(const struct story *story, const struct journal_record *work);

/* suspect_order.h: how far its start is from the time at which a culprit is expected to start. */
uint64_t time_distance(const struct story *story, const struct journal_record *work);

#endif
