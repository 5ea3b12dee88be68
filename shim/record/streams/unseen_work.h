/*
 * unseen_work.h - at the failure: has any stream been given work that culprit did not record? See
 * progress_unseen.h.
 */
#ifndef CULPRIT_RECORD_UNSEEN_WORK_H
#define CULPRIT_RECORD_UNSEEN_WORK_H

#include <stdint.h>

/*
 * Looks at what the driver notes of every stream of every context, and notes what was noticed. A
 * stream that a thread is submitting to at this moment is left out. By the thread of this id, which
 * holds no lock. The failure only.
 */
void unseen_work_look(uint32_t tid);

#endif
