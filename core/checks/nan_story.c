/*
 * nan_story.c - go through the launches in their order. An argument counts as read if its bytes are
 * the same before and after the launch, else as written.
 */
#include "checks/nan_story.h"

#include <stdbool.h>

enum { MAX_TAINTED = 256 };

/* Memory to which a launch of the story wrote. */
struct tainted {
	uint64_t start, end;
};

struct search {
	const struct bundle_view *view;
	struct nan_story *story;
	struct tainted tainted[MAX_TAINTED]; /* a ring */
	uint32_t n_tainted;
};

/* The effect of one launch. Ids of rows; 0: none. */
struct step {
	uint32_t read;    /* the first argument with odd values before that was only read */
	uint32_t written; /* the first one that was written, too */
	uint32_t gained;  /* the first one with odd values that it wrote */
	uint32_t linked;  /* one of `read` or `written` that the story knows */
};

uint64_t nan_story_odd(const struct check_row *row, const struct check_result *result,
		       uint64_t *out_first)
{
	bool counts_infinities = row->flags & CHECK_ROW_INFINITIES;
	uint64_t first = result->first_nan;
	if (counts_infinities && result->first_infinite < first)
		first = result->first_infinite;
	*out_first = first;
	return result->n_nan + (counts_infinities ? result->n_infinite : 0);
}

static bool is_odd(const struct check_row *row, const struct check_result *result)
{
	uint64_t first = 0;
	return nan_story_odd(row, result, &first) > 0;
}

static bool is_tainted(const struct search *search, const struct check_row *row)
{
	uint32_t n = search->n_tainted < MAX_TAINTED ? search->n_tainted : MAX_TAINTED;
	for (uint32_t i = 0; i < n; i++)
		if (row->address < search->tainted[i].end &&
		    search->tainted[i].start < row->address + row->bytes)
			return true;
	return false;
}

static void taint(struct search *search, const struct check_row *row)
{
	if (is_tainted(search, row))
		return;
	search->tainted[search->n_tainted++ % MAX_TAINTED] =
		(struct tainted){row->address, row->address + row->bytes};
}

/* The memory has no NaN any more: the launch wrote all of it anew. */
static void untaint(struct search *search, const struct check_row *row)
{
	for (uint32_t i = 0; i < MAX_TAINTED; i++)
		if (row->address <= search->tainted[i].start &&
		    search->tainted[i].end <= row->address + row->bytes)
			search->tainted[i] = (struct tainted){0};
}

static bool is_written(const struct check_row *row)
{
	return (row->flags & CHECK_ROW_HAS_AFTER) && row->before.checksum != row->after.checksum;
}

static void look_at(const struct search *search, uint32_t id, struct step *step)
{
	const struct check_row *row = view_check(search->view, id);
	bool was_odd = is_odd(row, &row->before);
	if (was_odd && !step->linked && is_tainted(search, row))
		step->linked = id;
	if (was_odd && is_written(row) && !step->written)
		step->written = id;
	if (was_odd && !is_written(row) && !step->read)
		step->read = id;
	if (is_written(row) && is_odd(row, &row->after) && !step->gained)
		step->gained = id;
}

static void begin_story(struct search *search, enum nan_origin origin, uint32_t row, uint32_t other)
{
	*search->story = (struct nan_story){.origin = origin, .row = row, .other = other};
	search->n_tainted = 0;
	taint(search, view_check(search->view, row));
}

static void add_link(struct search *search, const struct step *step)
{
	struct nan_story *story = search->story;
	if (story->n_links < NAN_MAX_LINKS)
		story->links[story->n_links] = (struct nan_link){step->linked, step->gained};
	story->n_links++;
}

/* Begin the story at this launch, if it is a better beginning than what was found before. */
static bool begins_here(struct search *search, const struct step *step)
{
	enum nan_origin known = search->story->origin;
	bool had_some = step->read || step->written;
	if (step->gained && !had_some && known < NAN_MADE)
		begin_story(search, NAN_MADE, step->gained, 0);
	else if (step->gained && !step->read && step->written && known < NAN_PERHAPS &&
		 !step->linked)
		begin_story(search, NAN_PERHAPS, step->gained, step->written);
	else if (step->read && known == NAN_NONE)
		begin_story(search, NAN_BROUGHT, step->read, 0);
	else
		return false;
	return true;
}

static void untaint_outputs(struct search *search, uint32_t first, uint32_t n)
{
	for (uint32_t id = first; id < first + n; id++) {
		const struct check_row *row = view_check(search->view, id);
		if (is_written(row) && !is_odd(row, &row->after) && !(row->flags & CHECK_ROW_CUT))
			untaint(search, row);
	}
}

/* Everything odd that the launch wrote belongs to the story from now on. */
static void taint_outputs(struct search *search, uint32_t first, uint32_t n)
{
	for (uint32_t id = first; id < first + n; id++) {
		const struct check_row *row = view_check(search->view, id);
		if (is_written(row) && is_odd(row, &row->after))
			taint(search, row);
	}
}

static void follow_launch(struct search *search, uint32_t first, uint32_t n)
{
	struct step step = {0};
	for (uint32_t id = first; id < first + n; id++)
		look_at(search, id, &step);
	bool is_beginning = begins_here(search, &step);
	if (step.gained && step.linked && !is_beginning)
		add_link(search, &step);
	untaint_outputs(search, first, n);
	if (is_beginning || step.linked)
		taint_outputs(search, first, n);
}

/* Return how many rows the launch has whose first row this is; 1 if they are not all there. */
static uint32_t count_rows(const struct bundle_view *view, uint32_t first)
{
	const struct check_row *row = view_check(view, first);
	uint32_t n = row->n_rows;
	if (row->index || n == 0 || n > CHECK_MAX_RANGES)
		return 1;
	for (uint32_t i = 1; i < n; i++) {
		const struct check_row *next = view_check(view, first + i);
		if (!next || next->sequence != row->sequence || next->index != i)
			return 1;
	}
	return n;
}

void nan_story_find(const struct bundle_view *view, struct nan_story *out)
{
	struct search search = {.view = view, .story = out};
	uint64_t n_rows = view->tables[JOURNAL_CHECKS].n_rows;
	*out = (struct nan_story){0};
	for (uint32_t id = 1; id <= n_rows && id <= CHECK_ROWS_MAX;) {
		uint32_t n = count_rows(view, id);
		follow_launch(&search, id, n);
		id += n;
	}
}
