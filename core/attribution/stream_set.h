/*
 * stream_set.h - the streams of a group of suspects: all members of a few, or that there are more.
 */
#ifndef CULPRIT_ATTRIBUTION_STREAM_SET_H
#define CULPRIT_ATTRIBUTION_STREAM_SET_H

#include <stdint.h>

enum { STREAM_SET_MAX = 16 };

struct stream_set {
	uint32_t n; /* one above STREAM_SET_MAX: more than that */
	uint32_t members[STREAM_SET_MAX];
};

static inline void stream_set_add(struct stream_set *set, uint32_t id)
{
	uint32_t n_known = set->n < STREAM_SET_MAX ? set->n : STREAM_SET_MAX;
	for (uint32_t i = 0; i < n_known; i++)
		if (set->members[i] == id)
			return;
	if (set->n < STREAM_SET_MAX)
		set->members[set->n] = id;
	if (set->n <= STREAM_SET_MAX)
		set->n++;
}

static inline void stream_set_add_all(struct stream_set *set, const struct stream_set *other)
{
	for (uint32_t i = 0; i < other->n && i < STREAM_SET_MAX; i++)
		stream_set_add(set, other->members[i]);
	if (other->n > STREAM_SET_MAX)
		set->n = other->n;
}

#endif
