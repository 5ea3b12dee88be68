/*
 * nvtx_record.h - the part of journal_format.h that is about NVTX ranges: how the rows of a ring
 * tell which of them were open at a submission.
 */
#ifndef CULPRIT_BASE_NVTX_RECORD_H
#define CULPRIT_BASE_NVTX_RECORD_H

#include <stdint.h>

enum nvtx_scope {
	NVTX_OF_THREAD,  /* pushed by the thread and not popped */
	NVTX_OF_PROCESS, /* started by some thread and not ended */
	N_NVTX_SCOPES
};

/* Ranges that are kept of a thread and of the process, and bytes of their text. */
enum { NVTX_MAX_OPEN = 64, NVTX_MAX_PROCESS = 16, NVTX_TEXT_MAX = 60 };

/*
 * RECORD_NVTX: one range that was open when its thread submitted the next work. A row is written
 * only for what has changed since the thread's submission before, so that the ranges of a
 * submission with RECORD_IN_RANGES are told by several rows: of those of its thread before it, the
 * newest one says how many ranges were open, and of each scope and index the newest one is the
 * range. Each range has a row in the last quarter of the ring before the submission, so that only
 * a ring's oldest submissions can lack one.
 */
struct record_nvtx {
	uint8_t scope;                 /* enum nvtx_scope */
	uint8_t index;                 /* among those of its scope; 0 was opened first */
	uint8_t n_open[N_NVTX_SCOPES]; /* ranges with rows */
	uint16_t n_unkept;             /* further open ones that found no room */
	uint8_t text_size;
	uint8_t is_cut;
	uint32_t domain; /* string, 0 the default one */
	char text[NVTX_TEXT_MAX];
};

#endif
