/*
 * unusual.h - how a launch differs from others. A pointer parameter may point to no live memory. A
 * number or dimension may differ from a value that all earlier launches of that kernel from that
 * line shared. It proves nothing: it orders suspects and is shown. Pure, as all of this folder.
 */
#ifndef CULPRIT_PROGRESS_UNUSUAL_H
#define CULPRIT_PROGRESS_UNUSUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/range_order.h"
#include "view/bundle_view.h"

/* The worst last. */
enum unusual_kind {
	UNUSUAL_NOTHING,
	UNUSUAL_NUMBER,    /* a parameter, grid or block, or the shared memory */
	UNUSUAL_PAST,      /* a pointer right behind live memory */
	UNUSUAL_STRAY,     /* a pointer among live and freed memory, but into none of it */
	UNUSUAL_FREED,     /* a pointer into freed memory */
	UNUSUAL_IN_FLIGHT, /* into memory that was freed later, by a call that waits for no work */
};

/* Where a value comes from: the index of a parameter, or one of these. */
enum {
	UNUSUAL_MAX_PARAMETERS = 17,
	UNUSUAL_GRID = UNUSUAL_MAX_PARAMETERS, /* and the next two, as for the block */
	UNUSUAL_BLOCK = UNUSUAL_GRID + 3,
	UNUSUAL_SHARED = UNUSUAL_BLOCK + 3,
	UNUSUAL_VALUES,
};

struct unusual {
	enum unusual_kind kind;
	uint32_t index;
	uint64_t value;
	uint64_t usual;    /* value of all earlier launches; UNUSUAL_NUMBER only */
	uint64_t n_before; /* number of earlier launches */
};

/* One launch while it is compared. */
struct unusual_case {
	struct record_launch launch;
	struct range_moment at;
	uint32_t stack;
	uint32_t has_value; /* bits, by index of the value */
	uint32_t has_varied;
	uint32_t may_point;
	uint64_t values[UNUSUAL_VALUES];
	uint64_t earlier[UNUSUAL_VALUES]; /* values of the first earlier launch that was found */
	uint8_t kinds[UNUSUAL_MAX_PARAMETERS];
	bool is_live[UNUSUAL_MAX_PARAMETERS];
	uint64_t n_before;
};

enum { UNUSUAL_MAX_CASES = 64 };

/* The caller provides it; it is too big for a small thread's stack. Set n to 0 to empty it. */
struct unusual_table {
	uint32_t n;
	uint64_t lowest, highest; /* addresses of all known memory */
	struct unusual_case cases[UNUSUAL_MAX_CASES];
};

/* Add the launch of *record in ring `slot`, if there is room. Other work is never unusual. */
void unusual_add(struct unusual_table *table, const struct bundle_view *view, uint32_t slot,
		 const struct journal_record *record);

/* Compare all launches that were added with the journal. */
void unusual_look(struct unusual_table *table, const struct bundle_view *view);

/* Return the worst difference of the index-th launch that was added. */
struct unusual unusual_of(const struct unusual_table *table, uint32_t index);

#endif
