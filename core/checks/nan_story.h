/*
 * nan_story.h - finds the launch in which a NaN began, and the launches that passed it on, in the
 * table of checked memory. With --inf infinities count, too: both are called odd here.
 */
#ifndef CULPRIT_CHECKS_NAN_STORY_H
#define CULPRIT_CHECKS_NAN_STORY_H

#include <stdint.h>

#include "view/bundle_view.h"

/* Where the first odd value came from; later values are more certain. */
enum nan_origin {
	NAN_NONE,    /* no checked launch had an odd value */
	NAN_BROUGHT, /* it was there before the first checked launch that was given it */
	NAN_PERHAPS, /* a launch wrote it, but memory that this launch also wrote had some before */
	NAN_MADE,    /* a launch wrote it, and none of its arguments had any before */
};

enum { NAN_MAX_LINKS = 6 };

/* A launch that was given odd values of the story, and wrote some. Ids in checks. */
struct nan_link {
	uint32_t from; /* the argument that it read */
	uint32_t to;   /* the argument that it wrote */
};

struct nan_story {
	enum nan_origin origin;
	uint32_t row;   /* id in checks: the argument in which it began; 0: NAN_NONE */
	uint32_t other; /* NAN_PERHAPS: the argument that had some before */
	uint64_t n_links;
	struct nan_link links[NAN_MAX_LINKS]; /* the first ones */
};

/* Return how many odd values the result has, and the index of the first one. Any thread. */
uint64_t nan_story_odd(const struct check_row *row, const struct check_result *result,
		       uint64_t *out_first);

/* Read the table, which is not trusted. Any thread. */
void nan_story_find(const struct bundle_view *view, struct nan_story *out);

#endif
