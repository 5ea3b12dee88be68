/*
 * trace_nvtx.h - NVTX ranges as slices. A journal has them as they were at submissions: so a range
 * is drawn from the first submission that was made in it to the last, and lasted at least as long.
 */
#ifndef CULPRIT_TOOLS_TRACE_NVTX_H
#define CULPRIT_TOOLS_TRACE_NVTX_H

#include "trace/trace_job.h"

/* What a thread has open, as its ring is walked from old to new. A zeroed one has nothing. */
struct trace_nvtx {
	/* By the rows: what holds at the next submission. */
	struct record_nvtx rows[N_NVTX_SCOPES][NVTX_MAX_OPEN];
	uint32_t n_rows[N_NVTX_SCOPES];
	/* How many of them have a slice that was begun, the outermost first. */
	uint32_t n_begun[N_NVTX_SCOPES];
	uint64_t newest_ns; /* the thread's newest submission */
	bool is_named[N_NVTX_SCOPES];
};

/* In the order of the ring: a RECORD_NVTX, a submission of the thread, the thread's end. */
void trace_nvtx_row(const struct trace_job *job, const struct record_nvtx *row, uint32_t tid,
		    struct trace_nvtx *nvtx);
void trace_nvtx_submission(const struct trace_job *job, const struct journal_record *record,
			   struct trace_nvtx *nvtx);
void trace_nvtx_end(const struct trace_job *job, uint32_t tid, struct trace_nvtx *nvtx);

#endif
