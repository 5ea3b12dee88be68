/*
 * left_work.c - compare the last snapshot with the journal as the process left it.
 */
#include "analysis/readings.h"

#include <stdlib.h>

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

/* True if a call that had not returned at the end waited for the stream before the snapshot. */
static bool is_awaited(const struct bundle_view *view, uint32_t stream, uint64_t read_ns)
{
	uint64_t n_rows = view->tables[JOURNAL_WAITS].n_rows;
	for (uint32_t id = 1; id <= n_rows && id != 0; id++) {
		const struct wait_row *row = view_wait(view, id);
		if (row && row->since_ns && row->since_ns < read_ns && row->stream == stream)
			return true;
	}
	return false;
}

/*
 * It had not finished at the end either if nothing else was unfinished, and the host still waited.
 * With other work after it, it may have finished since the snapshot.
 */
static bool is_unfinished(const struct bundle_view *view, const struct standings *standings,
			  uint64_t read_ns, const struct hang_claim *claim)
{
	const struct standing *row = &standings->rows[0];
	return claim->n == 1 && standings->n == 1 && claim->rows[0].is_proven && !claim->n_later &&
	       !row->n_behind && !standings->n_unplaced && !standings->n_unlisted &&
	       is_awaited(view, row->stream, read_ns);
}

static bool claim(const struct bundle_view *view, const struct standings *standings,
		  uint64_t read_ns, struct hang_claim *out)
{
	*out = (struct hang_claim){.is_of_end = true, .n_later = count_later(view, read_ns)};
	for (uint32_t i = 0; i < standings->n; i++) {
		const struct standing *row = &standings->rows[i];
		if (row->front.time_ns < read_ns && had_started(row))
			add(row, read_ns, out);
	}
	bool is_likely = is_unfinished(view, standings, read_ns, out);
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
