/*
 * nvtx_view.h - finds the NVTX ranges that were open at a submission. It reads the RECORD_NVTX rows
 * of a ring with the same checks as bundle_view.h.
 */
#ifndef CULPRIT_VIEW_NVTX_VIEW_H
#define CULPRIT_VIEW_NVTX_VIEW_H

#include "view/bundle_view.h"

/* n_open never exceeds NVTX_MAX_OPEN. Commit 0: the row was overwritten or never written. */
struct nvtx_ranges {
	uint32_t n_open[N_NVTX_SCOPES];
	uint32_t n_unkept; /* further open ranges that were not recorded */
	uint64_t commits[N_NVTX_SCOPES][NVTX_MAX_OPEN]; /* of the ranges' rows */
};

/*
 * Fill *out for the submission in *record, which view_record read from ring `slot`. False if no
 * ranges were open, or none of their rows are left. Any thread.
 */
bool view_nvtx(const struct bundle_view *view, uint32_t slot, const struct journal_record *record,
	       struct nvtx_ranges *out);

/*
 * Copy range `index` (below n_open) of `scope` into *out, with text_size at most NVTX_TEXT_MAX.
 * False if its row was overwritten. Any thread.
 */
bool view_nvtx_range(const struct bundle_view *view, uint32_t slot,
		     const struct nvtx_ranges *ranges, enum nvtx_scope scope, uint32_t index,
		     struct record_nvtx *out);

#endif
