/*
 * reference_trust.h - rules 11g and 11h of attribution.h, for the reference: which progress
 * counters are believed. trusted_channels.h has the details.
 */
#ifndef CULPRIT_TESTS_REFERENCE_TRUST_H
#define CULPRIT_TESTS_REFERENCE_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "reference/order.h"

/* All numbers of the driver wrap at 32 bits. */
bool trust_is_below(uint32_t a, uint32_t b);

/* Return the kernel's own counter, NULL if there is none. */
const struct kernel_state_row *trust_state(const struct story *story,
					   const struct journal_record *work);

/* True if the channel is believed: by the trial alone if *is_tried. */
bool trust_channel(const struct story *story, uint32_t id, bool *is_tried);

/* True if any counter may be used. */
bool trust_any(const struct story *story);

/* True if a counter shows less than a check, or than what has finished. */
bool trust_is_contradicted(const struct story *story);

#endif
