/*
 * nvtx_record.h - the part of journal_format.h about NVTX ranges: how the rows of a ring record
 * which ranges were open at a submission.
 */
#ifndef CULPRIT_BASE_NVTX_RECORD_H
#define CULPRIT_BASE_NVTX_RECORD_H

#include <stdint.h>

enum nvtx_scope {
	NVTX_OF_THREAD,  /* pushed by the thread and not popped */
	NVTX_OF_PROCESS, /* started by any thread and still open */
	N_NVTX_SCOPES
};

/* Most recorded ranges of a thread and of the process, and most bytes of a range's text. */
enum { NVTX_MAX_OPEN = 64, NVTX_MAX_PROCESS = 16, NVTX_TEXT_MAX = 60 };

/*
 * RECORD_NVTX: one range that was open when its thread submitted the next work. A row is written
 * only for a change since the thread's previous submission. To find the ranges of a submission with
 * RECORD_IN_RANGES, read its thread's rows before it. The newest row has the number of open ranges.
 * The newest row of each scope and index is that range. Each range has a row in the last quarter of
 * the ring before the submission, so only a ring's oldest submissions can lack one.
 */
struct record_nvtx {
	uint8_t scope;                 /* enum nvtx_scope */
	uint8_t index;                 /* among the ranges of its scope; 0 was opened first */
	uint8_t n_open[N_NVTX_SCOPES]; /* open ranges that have rows */
	uint16_t n_unkept;             /* further open ranges that were not recorded */
	uint8_t text_size;
	uint8_t is_cut;
	uint32_t domain; /* string; 0: the default domain */
	char text[NVTX_TEXT_MAX];
};

#endif
