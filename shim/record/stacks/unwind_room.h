/*
 * unwind_room.h - make room for the frames of deep stacks, as a walk needs it.
 */
#ifndef CULPRIT_RECORD_UNWIND_ROOM_H
#define CULPRIT_RECORD_UNWIND_ROOM_H

#include "base/hot.h"
#include "record/stacks/unwind_state.h"

/*
 * Make room for n_wanted frames, but not for more than UNWIND_FRAMES. If memory is short, the room
 * stays as it is. For the thread that owns it, during a walk.
 */
COLD void unwind_room_for_fresh(struct unwind_work *work, uint32_t n_wanted);

/* Do the same for kept frames and their words. */
COLD void unwind_room_for_kept(struct unwind_state *state, uint32_t n_wanted);

#endif
