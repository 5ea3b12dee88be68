/*
 * ranges.h - the memory that the GPU may use: who made each range, and who freed it.
 *
 * Living ranges have a row each; the rows of freed ones are used again, the longest freed first, so
 * that the newest freed ranges stay known and the table stays bounded.
 */
#ifndef CULPRIT_RECORD_RANGES_H
#define CULPRIT_RECORD_RANGES_H

#include <stdint.h>

/* Who did something to a range, and when. */
struct range_origin {
	uint32_t call; /* string id */
	uint32_t stack;
	uint32_t context;  /* id */
	uint64_t sequence; /* newest submission number */
};

/* A range became usable. Any thread. */
void ranges_add(uint64_t start, uint64_t size, const struct range_origin *origin);

/* The range that begins there was given back; others are not looked for. Any thread. */
void ranges_remove(uint64_t start, const struct range_origin *origin);

/* A context is gone, and with it what was allocated in it. Any thread. */
void ranges_context_destroyed(uint32_t context, const struct range_origin *origin);

#endif
