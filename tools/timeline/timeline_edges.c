/*
 * timeline_edges.c - find the submissions on both sides of each event wait.
 */
#include "timeline/timeline_parts.h"

#include <errno.h>
#include <stdlib.h>

/* A submission's position on its stream, by which it is looked up. */
struct place {
	uint64_t ordinal;
	uint64_t sequence;
	uint32_t lane;
};

static int compare_locations(const void *one, const void *other)
{
	const struct place *a = one;
	const struct place *b = other;
	if (a->lane != b->lane)
		return a->lane < b->lane ? -1 : 1;
	return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* Return the index of the first position at or after `wanted`; n if all are before it. */
static size_t find_place(const struct place *places, size_t n, struct place wanted)
{
	size_t low = 0;
	while (low < n) {
		size_t middle = low + (n - low) / 2;
		if (compare_locations(&places[middle], &wanted) < 0)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Return false if one side of the wait is not in the journal, or both are on one lane. */
static bool find_edge(const struct timeline_builder *builder, const struct place *places,
		      const struct timeline_wait *wait, struct timeline_edge *out)
{
	size_t n = builder->timeline->n_works;
	struct place from = {.lane = builder->lane_of[wait->source],
			     .ordinal = wait->source_ordinal};
	struct place to = {.lane = builder->lane_of[wait->stream], .ordinal = wait->ordinal + 1};
	size_t from_at = find_place(places, n, from);
	size_t to_at = find_place(places, n, to);
	if (from_at == n || places[from_at].lane != from.lane ||
	    places[from_at].ordinal != from.ordinal || to_at == n || places[to_at].lane != to.lane)
		return false;
	*out = (struct timeline_edge){.from = places[from_at].sequence,
				      .to = places[to_at].sequence,
				      .from_lane = from.lane,
				      .to_lane = to.lane};
	return from.lane != to.lane;
}

static struct place *sort_places(const struct timeline *timeline)
{
	struct place *places = calloc(timeline->n_works + 1, sizeof(places[0]));
	for (size_t i = 0; places && i < timeline->n_works; i++)
		places[i] = (struct place){.ordinal = timeline->works[i].ordinal,
					   .sequence = timeline->works[i].sequence,
					   .lane = timeline->works[i].lane};
	if (places)
		qsort(places, timeline->n_works, sizeof(places[0]), compare_locations);
	return places;
}

int timeline_edges_find(struct timeline_builder *builder)
{
	struct timeline *timeline = builder->timeline;
	struct place *places = sort_places(timeline);
	timeline->edges = calloc(builder->n_waits + 1, sizeof(timeline->edges[0]));
	for (size_t i = 0; places && timeline->edges && i < builder->n_waits; i++)
		if (find_edge(builder, places, &builder->waits[i],
			      &timeline->edges[timeline->n_edges]))
			timeline->n_edges++;
	free(places);
	return places && timeline->edges ? 0 : -ENOMEM;
}
