/*
 * unseen_work.h - at the failure, look for streams with work that culprit did not record. See
 * progress_unseen.h.
 */
#ifndef CULPRIT_RECORD_UNSEEN_WORK_H
#define CULPRIT_RECORD_UNSEEN_WORK_H

#include <stdint.h>

/*
 * Check the driver's notes of every stream of every context, and note what is found. Skips a stream
 * that a thread is submitting to at this moment. Called by the thread of this id, without locks.
 * The failure only.
 */
void unseen_work_look(uint32_t tid);

#endif
