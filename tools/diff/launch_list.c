/*
 * launch_list.c - group the rows of checks, which are untrusted input.
 */
#include "diff/launch_list.h"

#include <errno.h>
#include <stdlib.h>

#include "checks/check_rows.h"

enum { MAX_STREAMS = 4096 };

/* The streams seen so far; later ones are taken for the last. */
struct streams {
	uint32_t ids[MAX_STREAMS], counts[MAX_STREAMS];
	uint32_t n;
};

static uint32_t number_of(struct streams *streams, uint32_t id)
{
	for (uint32_t i = 0; i < streams->n; i++)
		if (streams->ids[i] == id)
			return i;
	if (streams->n < MAX_STREAMS)
		streams->ids[streams->n++] = id;
	return streams->n - 1;
}

static void fill(const struct bundle_view *view, uint32_t n_rows, struct streams *streams,
		 struct launch_list *out)
{
	for (uint32_t id = 1; id <= n_rows;) {
		struct checked_launch *launch = &out->launches[out->n];
		launch->first = id;
		launch->n = check_rows_count(view, id);
		launch->stream = number_of(streams, view_check(view, id)->stream);
		launch->place = streams->counts[launch->stream]++;
		out->by_location[out->n++] = launch;
		id += launch->n;
	}
}

static int compare(const struct checked_launch *one, const struct checked_launch *other)
{
	if (one->stream != other->stream)
		return one->stream < other->stream ? -1 : 1;
	return one->place < other->place ? -1 : one->place > other->place;
}

static int compare_locations(const void *one, const void *other)
{
	return compare(*(const struct checked_launch *const *)one,
		       *(const struct checked_launch *const *)other);
}

int launch_list_make(const struct bundle_view *view, struct launch_list *out)
{
	uint64_t n_rows = view->tables[JOURNAL_CHECKS].n_rows;
	if (n_rows > CHECK_ROWS_MAX)
		n_rows = CHECK_ROWS_MAX;
	struct streams *streams = calloc(1, sizeof(*streams));
	*out = (struct launch_list){0};
	out->launches = calloc(n_rows + 1, sizeof(*out->launches));
	out->by_location = calloc(n_rows + 1, sizeof(const struct checked_launch *));
	if (!streams || !out->launches || !out->by_location) {
		free(streams);
		launch_list_free(out);
		return -ENOMEM;
	}
	fill(view, (uint32_t)n_rows, streams, out);
	qsort(out->by_location, out->n, sizeof(const struct checked_launch *), compare_locations);
	free(streams);
	return 0;
}

void launch_list_free(struct launch_list *list)
{
	free(list->launches);
	free(list->by_location);
	*list = (struct launch_list){0};
}

const struct checked_launch *launch_list_find(const struct launch_list *list, uint32_t stream,
					      uint32_t place)
{
	const struct checked_launch wanted = {.stream = stream, .place = place};
	const struct checked_launch *key = &wanted;
	const struct checked_launch **found =
		bsearch(&key, list->by_location, list->n, sizeof(const struct checked_launch *),
			compare_locations);
	return found ? *found : NULL;
}
