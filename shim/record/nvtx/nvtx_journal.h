/*
 * nvtx_journal.h - write the open NVTX ranges into the ring of a thread that is about to submit,
 * unless they are there already.
 */
#ifndef CULPRIT_RECORD_NVTX_JOURNAL_H
#define CULPRIT_RECORD_NVTX_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

struct ring;

/*
 * Return true if any range is open: the following submission then needs RECORD_IN_RANGES. Appends
 * RECORD_NVTX rows of the thread `tid`: usually at most one, never more than an eighth of the ring.
 * Slot owner only.
 */
bool nvtx_journal(struct ring *ring, uint32_t tid);

#endif
