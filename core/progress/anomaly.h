/*
 * anomaly.h - how a launch differs from others. A pointer parameter may point to no live memory. A
 * number or dimension may differ from a value that all earlier launches of that kernel from that
 * line shared. It proves nothing: it orders suspects and is shown. Pure, as all of this folder.
 */
#ifndef CULPRIT_PROGRESS_ANOMALY_H
#define CULPRIT_PROGRESS_ANOMALY_H

#include <stdbool.h>
#include <stdint.h>

#include "progress/range_order.h"
#include "view/bundle_view.h"

/* The worst last. */
enum anomaly_kind {
	ANOMALY_NONE,
	ANOMALY_NUMBER,    /* a parameter, grid or block, or the shared memory */
	ANOMALY_PAST,      /* a pointer right behind live memory */
	ANOMALY_STRAY,     /* a pointer among live and freed memory, but into none of it */
	ANOMALY_FREED,     /* a pointer into freed memory */
	ANOMALY_IN_FLIGHT, /* into memory that was freed later, by a call that waits for no work */
};

/* Where a value comes from: the index of a parameter, or one of these. */
enum {
	ANOMALY_MAX_PARAMETERS = 17,
	ANOMALY_GRID = ANOMALY_MAX_PARAMETERS, /* and the next two, as for the block */
	ANOMALY_BLOCK = ANOMALY_GRID + 3,
	ANOMALY_SHARED = ANOMALY_BLOCK + 3,
	ANOMALY_VALUES,
};

struct anomaly {
	enum anomaly_kind kind;
	uint32_t index;
	uint64_t value;
	uint64_t usual;    /* value of all earlier launches; ANOMALY_NUMBER only */
	uint64_t n_before; /* number of earlier launches */
};

/* One launch while it is compared. */
struct anomaly_case {
	struct record_launch launch;
	struct range_moment at;
	uint32_t stack;
	uint32_t has_value; /* bits, by index of the value */
	uint32_t has_varied;
	uint32_t may_point;
	uint64_t values[ANOMALY_VALUES];
	uint64_t earlier[ANOMALY_VALUES]; /* values of the first earlier launch that was found */
	uint8_t kinds[ANOMALY_MAX_PARAMETERS];
	bool is_live[ANOMALY_MAX_PARAMETERS];
	uint64_t n_before;
};

enum { ANOMALY_MAX_CASES = 64 };

/* The caller provides it; it is too big for a small thread's stack. Set n to 0 to empty it. */
struct anomaly_table {
	uint32_t n;
	uint64_t lowest, highest; /* addresses of all known memory */
	struct anomaly_case cases[ANOMALY_MAX_CASES];
};

/* Add the launch of *record in ring `slot`, if there is room. Other work has no anomaly. */
void anomaly_add(struct anomaly_table *table, const struct bundle_view *view, uint32_t slot,
		 const struct journal_record *record);

/* Compare all launches that were added with the journal. */
void anomaly_compare(struct anomaly_table *table, const struct bundle_view *view);

/* Return the worst difference of the index-th launch that was added. */
struct anomaly anomaly_of(const struct anomaly_table *table, uint32_t index);

#endif
