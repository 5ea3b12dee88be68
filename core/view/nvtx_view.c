/*
 * nvtx_view.c - walks a ring backwards from a submission until each open range's row is found.
 */
#include "view/nvtx_view.h"

#include <string.h>

/* Read record `number` (from 0, never wrapping) of the ring, if it is still there. */
static bool read_number(const struct bundle_view *view, uint32_t slot, uint64_t number,
			struct journal_record *out)
{
	uint64_t n_places = slot < view->n_rings ? view->rings[slot].capacity : 0;
	return n_places > 0 && view_record(view, slot, number % n_places, out) &&
	       out->commit == number + 1;
}

static bool is_range_of(const struct journal_record *row, uint32_t tid)
{
	return row->kind == RECORD_NVTX && row->tid == tid && row->nvtx.scope < N_NVTX_SCOPES;
}

static uint32_t at_most(uint32_t value, uint32_t max)
{
	return value < max ? value : max;
}

/* Take the number of open ranges, which only the newest row has. Returns how many rows to find. */
static uint32_t take_counts(const struct record_nvtx *row, struct nvtx_ranges *out)
{
	for (int scope = 0; scope < N_NVTX_SCOPES; scope++)
		out->n_open[scope] = at_most(row->n_open[scope], NVTX_MAX_OPEN);
	out->n_unkept = row->n_unkept;
	return out->n_open[NVTX_OF_THREAD] + out->n_open[NVTX_OF_PROCESS];
}

/* Take the row if its range is still missing. Rows come newest first. */
static bool take_row(const struct journal_record *row, struct nvtx_ranges *out)
{
	const struct record_nvtx *range = &row->nvtx;
	if (range->index >= out->n_open[range->scope])
		return false;
	uint64_t *commit = &out->commits[range->scope][range->index];
	if (*commit != 0)
		return false;
	*commit = row->commit;
	return true;
}

bool view_nvtx(const struct bundle_view *view, uint32_t slot, const struct journal_record *record,
	       struct nvtx_ranges *out)
{
	uint64_t n_rows = slot < view->n_rings ? view->rings[slot].n_rows : 0;
	uint64_t number = record->commit != 0 ? record->commit - 1 : 0;
	uint32_t n_missing = 0;
	bool has_any = false;
	memset(out, 0, sizeof(*out));
	if (!(record->flags & RECORD_IN_RANGES))
		return false;
	/* A ring holds at most its rows, whatever capacity its header claims. */
	struct journal_record row;
	for (uint64_t n = 0; n < n_rows && number > 0 && (!has_any || n_missing > 0); n++) {
		number--;
		if (!read_number(view, slot, number, &row) || !is_range_of(&row, record->tid))
			continue;
		if (!has_any)
			n_missing = take_counts(&row.nvtx, out);
		has_any = true;
		n_missing -= take_row(&row, out) ? 1 : 0;
	}
	return has_any;
}

bool view_nvtx_range(const struct bundle_view *view, uint32_t slot,
		     const struct nvtx_ranges *ranges, enum nvtx_scope scope, uint32_t index,
		     struct record_nvtx *out)
{
	uint64_t commit = ranges->commits[scope][index];
	struct journal_record row;
	if (commit == 0 || !read_number(view, slot, commit - 1, &row) || row.kind != RECORD_NVTX)
		return false;
	*out = row.nvtx;
	out->text_size = (uint8_t)at_most(out->text_size, NVTX_TEXT_MAX);
	return true;
}
