/*
 * unusual.h - what is unlike other launches in a launch: a pointer among its parameters that points
 * to no live memory, a number or a dimension that all earlier launches of that kernel from that
 * line had otherwise. It proves nothing: it orders suspects, and is shown. Pure, as all of this
 * folder.
 */
#ifndef CULPRIT_VERDICT_UNUSUAL_H
#define CULPRIT_VERDICT_UNUSUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "verdict/view/bundle_view.h"

/* The worst last. */
enum unusual_kind {
	UNUSUAL_NOTHING,
	UNUSUAL_NUMBER, /* a parameter, grid or block, or the shared memory */
	UNUSUAL_PAST,   /* a pointer right behind live memory */
	UNUSUAL_STRAY,  /* among memory that there is or was, in none of it */
	UNUSUAL_FREED,  /* into memory that was given back */
};

/* Where a value comes from: the index of a parameter, or one of these. */
enum {
	UNUSUAL_MAX_PARAMETERS = 17,
	UNUSUAL_GRID = UNUSUAL_MAX_PARAMETERS, /* and the next two, as of block */
	UNUSUAL_BLOCK = UNUSUAL_GRID + 3,
	UNUSUAL_SHARED = UNUSUAL_BLOCK + 3,
	UNUSUAL_VALUES,
};

struct unusual {
	enum unusual_kind kind;
	uint32_t index;
	uint64_t value;
	uint64_t usual;    /* which all earlier launches had; UNUSUAL_NUMBER only */
	uint64_t n_before; /* how many these are */
};

/* One launch while it is looked at. */
struct unusual_case {
	struct record_launch launch;
	uint64_t sequence;
	uint32_t stack;
	uint32_t has_value; /* a bit for each of the values, as of the next two */
	uint32_t has_varied;
	uint32_t may_point;
	uint64_t values[UNUSUAL_VALUES];
	uint64_t earlier[UNUSUAL_VALUES]; /* of the first earlier launch that was found */
	uint8_t kinds[UNUSUAL_MAX_PARAMETERS];
	bool is_live[UNUSUAL_MAX_PARAMETERS];
	uint64_t n_before;
};

enum { UNUSUAL_MAX_CASES = 64 };

/* Placed by the caller; too big for a small thread's stack. Empty with an n of 0. */
struct unusual_table {
	uint32_t n;
	uint64_t lowest, highest; /* of all memory that is known */
	struct unusual_case cases[UNUSUAL_MAX_CASES];
};

/* Adds the launch of *record in ring `slot`, as long as there is room; other work is never unusual.
 */
void unusual_add(struct unusual_table *table, const struct bundle_view *view, uint32_t slot,
		 const struct journal_record *record);

/* Compares all that were added with the journal. */
void unusual_look(struct unusual_table *table, const struct bundle_view *view);

/* The worst of the index-th that was added. */
struct unusual unusual_of(const struct unusual_table *table, uint32_t index);

#endif
