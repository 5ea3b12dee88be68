/*
 * nvtx_journal.h - writes the open NVTX ranges into the ring of a thread that is about to submit,
 * if they are not there already.
 */
#ifndef CULPRIT_RECORD_NVTX_JOURNAL_H
#define CULPRIT_RECORD_NVTX_JOURNAL_H

#include <stdbool.h>
#include <stdint.h>

struct ring;

/*
 * Are any ranges open, so that the submission that follows is to have RECORD_IN_RANGES? Appends
 * RECORD_NVTX rows of the thread `tid`: usually none or one, never more than an eighth of the ring.
 * Slot owner only.
 */
bool nvtx_journal(struct ring *ring, uint32_t tid);

#endif
