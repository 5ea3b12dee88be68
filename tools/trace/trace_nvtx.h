/*
 * trace_nvtx.h - add NVTX ranges as slices. A journal knows which ranges were open at a submission.
 * A range is drawn from the first submission inside it to the last; it lasted at least that long.
 */
#ifndef CULPRIT_TOOLS_TRACE_NVTX_H
#define CULPRIT_TOOLS_TRACE_NVTX_H

#include "trace/trace_job.h"

/* The ranges that a thread has open during a walk along its ring. A zeroed struct has none. */
struct trace_nvtx {
	/* The open ranges by the rows read so far; they hold at the next submission. */
	struct record_nvtx rows[N_NVTX_SCOPES][NVTX_MAX_OPEN];
	uint32_t n_rows[N_NVTX_SCOPES];
	/* The number of these ranges, from the outermost on, that have an open slice. */
	uint32_t n_begun[N_NVTX_SCOPES];
	uint64_t newest_ns; /* the thread's newest submission */
	bool is_named[N_NVTX_SCOPES];
};

/*
 * Call these in the order of the ring: for a RECORD_NVTX, for a submission of the thread, and once
 * after the thread's last record.
 */
void trace_nvtx_row(const struct trace_job *job, const struct record_nvtx *row, uint32_t tid,
		    struct trace_nvtx *nvtx);
void trace_nvtx_submission(const struct trace_job *job, const struct journal_record *record,
			   struct trace_nvtx *nvtx);
void trace_nvtx_end(const struct trace_job *job, uint32_t tid, struct trace_nvtx *nvtx);

#endif
