/*
 * reference_time.h - rules 17 and 15h of attribution.h, for the reference: when work started,
 * compared with the time of the fault, or of its submission.
 */
#ifndef CULPRIT_TESTS_REFERENCE_TIME_H
#define CULPRIT_TESTS_REFERENCE_TIME_H

#include <stdbool.h>

#include "reference/order.h"

/* True if it started after the fault was noticed. */
bool time_is_later(const struct story *story, const struct journal_record *work);

/* How far CLOCK_MONOTONIC is ahead of the GPU's clock at least; INT64_MIN unknown. */
int64_t time_least_distance(const struct story *story);

/* The latest by CLOCK_MONOTONIC that a time of the GPU can be; INT64_MAX unknown. */
int64_t time_latest(const struct story *story, uint32_t context, uint64_t gpu_ns);

/* suspect_order.h: how far its start is from the time at which a culprit is expected to start. */
uint64_t time_distance(const struct story *story, const struct journal_record *work);

#endif
