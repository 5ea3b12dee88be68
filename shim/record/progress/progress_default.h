/*
 * progress_default.h - find the tracker of a default stream, a context's legacy one or a thread's
 * own in it, which has no handle to start from. Among the streams that it can be, it is the one
 * whose tracker moves with each kernel that it is given.
 *
 * Only kernels count, because each moves the tracker and leaves its kind there. So the right
 * candidate always stays, and is found when it is the last one left. A thread's own stream is
 * searched among all streams of the context (progress_list.h). The legacy one is searched among
 * those that the context's own object names, which may be incomplete: it must be the only one left,
 * and have moved, LEGACY_ROUNDS times in a row. Other threads' streams may move as often, but not
 * for ever. After MAX_ROUNDS the search ends without a result.
 */
#ifndef CULPRIT_RECORD_PROGRESS_DEFAULT_H
#define CULPRIT_RECORD_PROGRESS_DEFAULT_H

#include <stdint.h>

#include "record/progress/progress_layout.h"
#include "record/progress/progress_list.h"
#include "record/progress/progress_search.h"

enum { LEGACY_ROUNDS = 3, MAX_ROUNDS = 64 };

struct progress_default {
	int n; /* 0: no search */
	int n_rounds;
	int n_needed;                        /* rounds */
	uintptr_t places[PROGRESS_LIST_MAX]; /* locations where an object names its tracker */
	uint64_t payloads[PROGRESS_LIST_MAX];
};

/*
 * Start a search. For the legacy stream, candidates are named by the context's own object at
 * `context`. For a thread's own stream `context` is 0, and candidates are all streams of the
 * context. n is 0 if not all of these can be found.
 */
void progress_default_begin(struct progress_default *sought, struct own_memory *memory,
			    const struct progress_layout *layout,
			    const struct counter_map *counter_map, uint64_t context);

/*
 * The stream's newest submission is a kernel, the first since the last call: keep candidates that
 * moved. Returns the location once it is certain, else 0; n is 0 when it will not be found.
 */
uintptr_t progress_default_moved(struct progress_default *sought, struct own_memory *memory,
				 const struct progress_layout *layout);

#endif
