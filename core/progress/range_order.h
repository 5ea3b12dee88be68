/*
 * range_order.h - was memory usable for a launch? The order of the calls and of the streams
 * decides, not the memory's state at the failure. If the order is unknown, the memory counts as
 * live.
 */
#ifndef CULPRIT_PROGRESS_RANGE_ORDER_H
#define CULPRIT_PROGRESS_RANGE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* A launch, or several of which one is meant. All zero: the end of the journal. */
struct range_moment {
	uint64_t first;    /* number of the oldest launch */
	uint64_t sequence; /* of the newest one; the other members describe it */
	uint64_t time_ns;
	uint64_t ordinal; /* on `stream`; 0: not known */
	uint32_t stream;
	uint32_t tid;
};

enum range_then {
	RANGE_THEN_ABSENT, /* allocated later */
	RANGE_THEN_LIVE,
	RANGE_THEN_FREED,     /* freed before the launch was made */
	RANGE_THEN_IN_FLIGHT, /* freed later, by a call that waits for no work */
	RANGE_THEN_UNCLEAR,   /* freed later on another stream: see range_is_in_order() */
};

/* Return the moment of a submission. */
struct range_moment range_moment_of(const struct journal_record *record);

/* Include another submission of which the moment may be. */
void range_moment_add(struct range_moment *moment, const struct journal_record *record);

/*
 * Return the memory's state at the moment. "In flight" and "unclear" assume that nothing proved the
 * launch finished before the memory was freed. Any thread.
 */
enum range_then range_then(const struct bundle_view *view, const struct range_row *row,
			   const struct range_moment *moment);

/*
 * True if the stream that freed an unclear range may have waited for the launch: events, the legacy
 * stream or memory operations may order them, records of that time are lost, or the way is too
 * long. Walks all records, once for each stream on the way. Any thread.
 */
bool range_is_in_order(const struct bundle_view *view, const struct range_row *row,
		       const struct range_moment *moment);

#endif
