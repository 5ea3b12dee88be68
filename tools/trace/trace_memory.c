/*
 * trace_memory.c - sort allocations and frees by time, and add them up.
 */
#include "trace/trace_parts.h"

#include <errno.h>
#include <stdlib.h>

struct step {
	uint64_t time_ns;
	int64_t bytes;
	uint32_t kind; /* enum range_kind */
};

struct steps {
	struct step *rows;
	size_t n;
	uint64_t n_ranges;
	uint64_t newest;         /* highest number of an allocation */
	uint64_t first_freed_ns; /* earliest free on record; UINT64_MAX: none */
};

static const char *kind_words(uint32_t kind)
{
	static const char *const words[N_RANGE_KINDS] = {
#define KIND(name, number, text) [number] = (text),
		RANGE_KINDS(KIND)
#undef KIND
	};

	return kind < N_RANGE_KINDS ? words[kind] : words[RANGE_UNKNOWN];
}

static void add_range(struct steps *steps, const struct range_row *range)
{
	int64_t bytes = range->size > INT64_MAX / 4096 ? 0 : (int64_t)range->size;
	steps->n_ranges++;
	if (range->number > steps->newest)
		steps->newest = range->number;
	/* Bundles of older versions have no times. */
	if (!range->time_ns)
		return;
	steps->rows[steps->n++] = (struct step){range->time_ns, bytes, range->kind};
	if (range->state != RANGE_FREED || !range->freed_ns)
		return;
	steps->rows[steps->n++] = (struct step){range->freed_ns, -bytes, range->kind};
	if (range->freed_ns < steps->first_freed_ns)
		steps->first_freed_ns = range->freed_ns;
}

static int compare_steps(const void *a, const void *b)
{
	const struct step *left = a;
	const struct step *right = b;
	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;
	return left->time_ns < right->time_ns ? -1 : left->time_ns > right->time_ns;
}

static int read_ranges(const struct bundle_view *view, struct steps *out)
{
	uint64_t n_rows = view->tables[JOURNAL_RANGES].n_rows;
	*out = (struct steps){.rows = calloc(2 * n_rows + 1, sizeof(*out->rows)),
			      .first_freed_ns = UINT64_MAX};
	if (!out->rows)
		return -ENOMEM;
	for (uint32_t place = 1; place <= n_rows && place < UINT32_MAX; place++) {
		struct range_row range;
		if (view_range_copy(view, view_id_at(view, JOURNAL_RANGES, place), &range))
			add_range(out, &range);
	}
	qsort(out->rows, out->n, sizeof(out->rows[0]), compare_steps);
	return 0;
}

static void add_steps(const struct trace_job *job, const struct steps *steps)
{
	/* If rows were reused, earlier frees are missing: start at the first that is on record. */
	uint64_t from = steps->newest > steps->n_ranges ? steps->first_freed_ns : 0;
	uint64_t held = 0; /* wraps if a corrupt journal frees more than was allocated */
	for (size_t index = 0; index < steps->n; index++) {
		const struct step *step = &steps->rows[index];
		struct trace_event event = {.phase = TRACE_COUNTER,
					    .track = {TRACE_MEMORY, step->kind},
					    .time_ns = step->time_ns,
					    .name = kind_words(step->kind)};
		if (!index || step->kind != steps->rows[index - 1].kind) {
			held = 0;
			job->sink.add_track(job->sink.state, &event.track, event.name);
		}
		held += (uint64_t)step->bytes;
		event.value = (int64_t)held;
		if (step->time_ns >= from)
			job->sink.add_event(job->sink.state, &event);
	}
}

int trace_memory(const struct trace_job *job)
{
	struct steps steps;
	int result = read_ranges(job->analysis->report.view, &steps);
	if (!result)
		add_steps(job, &steps);
	free(steps.rows);
	return result;
}
