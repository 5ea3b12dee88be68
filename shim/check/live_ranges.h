/*
 * live_ranges.h - find the live memory that contains an address, by an index of the table of
 * ranges. The index is made anew if the table has changed since.
 */
#ifndef CULPRIT_CHECK_LIVE_RANGES_H
#define CULPRIT_CHECK_LIVE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_ranges.h"

/*
 * Copy the row of the memory that contains the address. False: no known memory does, or it is being
 * freed. Reserved addresses without memory do not count. Any thread.
 */
bool live_ranges_find(uint64_t address, struct range_row *out);

#endif
