/*
 * record_walk.h - a walk over all records of a bundle.
 */
#ifndef CULPRIT_VIEW_RECORD_WALK_H
#define CULPRIT_VIEW_RECORD_WALK_H

#include "view/bundle_view.h"

/* A walk starts with `view` set and the other members 0. */
struct record_walk {
	const struct bundle_view *view;
	struct journal_record record; /* the current record, a copy */
	uint32_t slot;                /* its ring */
	uint64_t position;            /* its position in the ring */
	uint64_t next;                /* private: the position to read next */
	uint64_t n_written;           /* private: the ring's positions */
};

/*
 * Move to the next record: ring by ring, and in a ring by position, which is not the order in which
 * its thread wrote them once the ring has wrapped (view_oldest()). Torn and overwritten records are
 * skipped. Return false after the last one. Safe against the rings' owners writing meanwhile.
 */
bool record_walk_next(struct record_walk *walk);

#endif
