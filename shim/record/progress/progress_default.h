/*
 * progress_default.h - finds the tracker of a default stream, a context's legacy one or a thread's
 * own in it, which has no handle to start from: among the streams that it can be it is the one
 * whose tracker moves with each kernel that it is given.
 *
 * Of kernels alone, since each moves it, and leaves its kind there: what is sought always stays,
 * and the last that is left of all is the one. A thread's own is sought among all streams of the
 * context (progress_list.h): one that is left alone is it. The legacy one is sought among those
 * that the context's own object names, of which nobody knows that they are all: it must be left
 * alone, and have moved, LEGACY_ROUNDS times in a row. Other threads' streams may move as often,
 * but not for ever: after MAX_ROUNDS there is nothing to be told.
 */
#ifndef CULPRIT_RECORD_PROGRESS_DEFAULT_H
#define CULPRIT_RECORD_PROGRESS_DEFAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_layout.h"
#include "record/progress/progress_list.h"
#include "record/progress/progress_search.h"

enum { LEGACY_ROUNDS = 3, MAX_ROUNDS = 64 };

struct progress_default {
	int n; /* 0: nothing is sought */
	int n_rounds;
	int n_needed;                        /* rounds */
	uintptr_t places[PROGRESS_LIST_MAX]; /* where an object names its tracker */
	uint64_t payloads[PROGRESS_LIST_MAX];
};

/*
 * Of the legacy stream, the objects that are named by the context's own, which begins at `context`;
 * 0: of a thread's own stream, all of the context's. n is 0 where not all of these can be found.
 */
void progress_default_begin(struct progress_default *sought, struct own_memory *memory,
			    const struct progress_layout *layout,
			    const struct progress_ground *ground, uint64_t context);

/*
 * The stream's newest submission is a kernel, the first since the last call: keeps what moved. The
 * place once it is sure, else 0; n is 0 when it will not be found.
 */
uintptr_t progress_default_moved(struct progress_default *sought, struct own_memory *memory,
				 const struct progress_layout *layout);

#endif
