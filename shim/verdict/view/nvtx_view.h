/*
 * nvtx_view.h - which NVTX ranges were open when a submission was made: checked reading of the
 * RECORD_NVTX rows of a ring, as bundle_view.h.
 */
#ifndef CULPRIT_VERDICT_NVTX_VIEW_H
#define CULPRIT_VERDICT_NVTX_VIEW_H

#include "verdict/view/bundle_view.h"

/* n_open never exceeds NVTX_MAX_OPEN. A row whose commit is 0 was overwritten, or never there. */
struct nvtx_ranges {
	uint32_t n_open[N_NVTX_SCOPES];
	uint32_t n_unkept;                              /* further ones that found no room */
	uint64_t commits[N_NVTX_SCOPES][NVTX_MAX_OPEN]; /* of the rows that tell them */
};

/*
 * Fills *out for the submission in *record, as view_record gave it from ring `slot`. False: none
 * were open, or no row about them is left. Any thread.
 */
bool view_nvtx(const struct bundle_view *view, uint32_t slot, const struct journal_record *record,
	       struct nvtx_ranges *out);

/*
 * Copies range `index` of `scope`, below n_open, into *out, with text_size at most NVTX_TEXT_MAX.
 * False: its row is gone. Any thread.
 */
bool view_nvtx_range(const struct bundle_view *view, uint32_t slot,
		     const struct nvtx_ranges *ranges, enum nvtx_scope scope, uint32_t index,
		     struct record_nvtx *out);

#endif
