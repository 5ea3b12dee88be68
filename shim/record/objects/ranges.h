/*
 * ranges.h - the memory that the GPU may use: who made each piece, and who freed it.
 *
 * What lives has a row each (struct range_row); the rows of freed ones are used again, the longest
 * freed first, so that the newest freed ones stay known and the table stays bounded.
 */
#ifndef CULPRIT_RECORD_RANGES_H
#define CULPRIT_RECORD_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"

/* Who did something to memory, and when. */
struct range_origin {
	uint32_t call; /* string id */
	uint32_t stack;
	uint32_t context; /* id */
	uint32_t tid;
	uint64_t time_ns;
	uint64_t sequence; /* newest submission number */
};

/* What was made: the members that say neither who nor when. start 0: nothing. */
struct range_shape {
	uint64_t start, size;
	uint64_t parent; /* mapped memory: the handle of its physical memory; else 0 */
	uint32_t stream;
	uint16_t flags;
	uint8_t kind;
	uint8_t device; /* with RANGE_DEVICE_KNOWN */
};

/* Memory became usable. Any thread. */
void ranges_add(const struct range_shape *shape, const struct range_origin *origin);

/*
 * What begins there is about to be given back; others are not looked for. `kind` tells handles,
 * reserved addresses and memory apart, no more. Its row, for ranges_removed(); 0: nothing begins
 * there. Any thread.
 */
uint32_t ranges_remove(uint64_t start, enum range_kind kind, const struct range_origin *origin);

/* That of such a row is gone, or it is still there: the driver refused. Once. Any thread. */
void ranges_removed(uint32_t id, bool is_gone);

/*
 * The same of what lies side by side in [start, start + size). The row is the first's, the others
 * are gone at once. Any thread.
 */
uint32_t ranges_remove_all(uint64_t start, uint64_t size, const struct range_origin *origin);

/*
 * What lies side by side there may be read or written by some device: rights of several add up, and
 * what is taken from one is not taken from the others. Any thread.
 */
void ranges_grant(uint64_t start, uint64_t size, uint16_t access);

/* A context is gone, and with it what was allocated in it. Any thread. */
void ranges_context_destroyed(uint32_t context, const struct range_origin *origin);

#endif
