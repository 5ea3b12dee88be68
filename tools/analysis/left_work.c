/*
 * left_work.c - compare the last snapshot with the journal as the process left it.
 */
#include "analysis/left_work.h"

#include <stdlib.h>

#include "analysis/readings.h"
#include "progress/standing.h"
#include "view/record_walk.h"

/* True if the stream's earliest unfinished submission had started, and waits for no other stream.
 */
static bool had_started(const struct standing *row)
{
	return row->kind == STANDING_RUNS || row->kind == STANDING_VALUE ||
	       row->kind == STANDING_FUNCTION;
}

static uint64_t count_later(const struct bundle_view *view, uint64_t read_ns)
{
	uint64_t n = 0;
	struct record_walk walk = {.view = view};
	while (record_walk_next(&walk))
		n += walk.record.kind == RECORD_SUBMISSION && walk.record.time_ns >= read_ns;
	return n;
}

static void add(const struct standing *row, uint64_t read_ns, struct hang_claim *out)
{
	if (out->n == HANG_CLAIM_MAX)
		return;
	if (out->n == 0 && read_ns > row->front.time_ns)
		out->ns = read_ns - row->front.time_ns;
	out->rows[out->n++] = (struct hang_stand){.sequence = row->front.sequence,
						  .source_sequence = row->source_sequence,
						  .kind = row->kind,
						  .is_proven = row->is_proven};
}

/* One launch is likely if the snapshot proved it unfinished, and no other stream may have run. */
static bool claim(const struct bundle_view *view, const struct standings *standings,
		  uint64_t read_ns, struct hang_claim *out)
{
	uint32_t n_unclear = standings->n_unlisted;
	*out = (struct hang_claim){.is_of_end = true, .n_later = count_later(view, read_ns)};
	for (uint32_t i = 0; i < standings->n; i++) {
		const struct standing *row = &standings->rows[i];
		if (row->front.time_ns < read_ns && had_started(row))
			add(row, read_ns, out);
		else
			n_unclear += row->kind == STANDING_MAY_RUN;
	}
	bool is_likely =
		out->n == 1 && out->rows[0].is_proven && !n_unclear && !standings->n_unplaced;
	out->class = is_likely ? VERDICT_LIKELY : VERDICT_NARROWED;
	return out->n > 0;
}

bool left_work_find(struct bundle *bundle, struct hang_claim *out)
{
	uint64_t read_ns = bundle->end.kind == REPORT_RUNS ? 0 : readings_apply_last(bundle);
	size_t size = read_ns ? standings_scratch(&bundle->view) : 0;
	struct standings *standings = size ? malloc(sizeof(*standings)) : NULL;
	void *scratch = standings ? malloc(size) : NULL;
	const struct reading_time read = {.ns = read_ns, .is_past = true};
	bool is_known = scratch &&
			!standings_find(&bundle->view, &read, scratch, size, standings) &&
			claim(&bundle->view, standings, read_ns, out);
	free(scratch);
	free(standings);
	return is_known;
}
