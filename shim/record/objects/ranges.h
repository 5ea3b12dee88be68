/*
 * ranges.h - the memory that the GPU may use: which call made each range, and which freed it.
 *
 * Each live range has a row (struct range_row). Rows of freed ranges are reused, the longest freed
 * first, so that the newest freed ones stay known and the table stays bounded.
 */
#ifndef CULPRIT_RECORD_RANGES_H
#define CULPRIT_RECORD_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"

/* The call that did something to memory, and its time. */
struct range_origin {
	uint32_t call; /* string id */
	uint32_t stack;
	uint32_t context; /* id */
	uint32_t tid;
	uint32_t stream; /* id, of a free in stream order; else 0 */
	uint64_t time_ns;
	uint64_t sequence; /* newest submission number */
};

/* A new range, without its origin. start 0: nothing. */
struct range_shape {
	uint64_t start, size;
	uint64_t parent; /* mapped memory: the handle of its physical memory; else 0 */
	uint32_t stream;
	uint16_t flags;
	uint8_t kind;
	uint8_t device; /* with RANGE_DEVICE_KNOWN */
};

/* Note that memory became usable. Any thread. */
void ranges_add(const struct range_shape *shape, const struct range_origin *origin);

/*
 * Note that the range that starts there is about to be freed; ranges that only contain the address
 * are not searched. `kind` only separates handles, reserved addresses and memory. Returns its row,
 * for ranges_removed(); 0: no range starts there. Any thread.
 */
uint32_t ranges_remove(uint64_t start, enum range_kind kind, const struct range_origin *origin);

/* End a removal: the row's range is freed, or still there if the driver refused. Any thread. */
void ranges_removed(uint32_t id, bool is_gone);

/*
 * The same for adjacent ranges in [start, start + size). Returns the first one's row; the others
 * are freed at once. Any thread.
 */
uint32_t ranges_remove_all(uint64_t start, uint64_t size, const struct range_origin *origin);

/*
 * Grant some device access to the adjacent ranges there. Rights of several devices add up; revoking
 * one device's rights leaves the others'. Any thread.
 */
void ranges_grant(uint64_t start, uint64_t size, uint16_t access);

/*
 * Return a number that is different whenever a range was added, freed or restored since. Any
 * thread.
 */
uint64_t ranges_generation(void);

/* Note that a context was destroyed, with the memory allocated in it. Any thread. */
void ranges_context_destroyed(uint32_t context, const struct range_origin *origin);

#endif
