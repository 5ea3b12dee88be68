/*
 * entry.h - what the exported functions share.
 */
#ifndef CULPRIT_ENTRY_ENTRY_H
#define CULPRIT_ENTRY_ENTRY_H

#include "driver_calls.h"

/* Everything else is hidden by the compiler's option; exports.map names these once more. */
#define EXPORT __attribute__((visibility("default")))

/*
 * Our wrapper of each call, for those who ask by address. Filled by the linker with our own
 * functions even where another preloaded library defines the same name before us.
 */
extern const void *const entry_points[N_DRIVER_CALLS];

/* The wrapper for ADDRESS if an entry point of the real driver lives there, or NULL. Any thread. */
const void *entry_point_for(const void *address);

#endif
