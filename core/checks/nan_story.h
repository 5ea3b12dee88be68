/*
 * nan_story.h - finds the kernel in which a NaN began, and the kernels that passed it on, among
 * checked launches and nodes of graphs. With --inf infinities count, too: both are called odd here.
 *
 * The story is a hint at an earlier error. No verdict rests on it.
 */
#ifndef CULPRIT_CHECKS_NAN_STORY_H
#define CULPRIT_CHECKS_NAN_STORY_H

#include "attribution/attribution.h"
#include "checks/nan_steps.h"

/* Where the first odd value came from; later values are more certain. */
enum nan_origin {
	NAN_NONE,    /* no checked kernel had an odd value */
	NAN_BROUGHT, /* it was there before the first checked kernel that was given it */
	NAN_PERHAPS, /* a kernel wrote it, but memory that it also wrote had some before */
	NAN_MADE,    /* a kernel wrote it, and none of its arguments had any before */
};

enum { NAN_MAX_LINKS = 6, NAN_MAX_DERIVED = 8 };

struct nan_story {
	enum nan_origin origin;
	struct nan_location first; /* the argument in which it began */
	struct nan_location other; /* NAN_PERHAPS: the argument that had some before */
	bool has_company;          /* a node on another branch may have written there meanwhile */
	bool is_sampled;           /* only a sample of some argument was read before the kernel */
	uint64_t n_links; /* kernels that were given odd values of the story, and wrote some */
	struct nan_location links[NAN_MAX_LINKS]; /* the arguments that the first of them wrote */
	struct nan_location reached; /* an odd argument of the first suspect that has one, if any */
	/*
	 * Without one: memory that a launch wrote, without odd values, although it was given some
	 * of the story, for example indexes; and the first suspect that was given that memory
	 * later.
	 */
	struct nan_location derived;
	uint32_t derived_suspect; /* index in the verdict's suspects */
};

/* True if the story's kernel certainly made the value. */
static inline bool nan_story_is_sure(const struct nan_story *story)
{
	return story->origin == NAN_MADE && !story->has_company && !story->is_sampled;
}

/*
 * Read the tables, which are not trusted. `verdict` has the suspects; NULL: leave them out. Any
 * thread.
 */
void nan_story_find(const struct bundle_view *view, const struct verdict *verdict,
		    struct nan_story *out);

#endif
