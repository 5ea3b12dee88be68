/*
 * progress_legacy.h - finds the tracker of a context's legacy stream, which has no handle: among
 * all objects that the context's own names, the one whose tracker moves with each submission to it,
 * and with LEGACY_ROUNDS of them in a row.
 */
#ifndef CULPRIT_RECORD_PROGRESS_LEGACY_H
#define CULPRIT_RECORD_PROGRESS_LEGACY_H

#include <stdbool.h>
#include <stdint.h>

#include "record/progress/progress_layout.h"

enum { LEGACY_ROUNDS = 3, LEGACY_MAX = 48 };

struct progress_legacy {
	int n;
	int n_rounds;
	uintptr_t places[LEGACY_MAX]; /* where an object names its tracker */
	uint64_t payloads[LEGACY_MAX];
};

/* All that looks like the object of a stream. The context's object begins at `context`. */
void progress_legacy_begin(struct progress_legacy *legacy, struct own_memory *memory,
			   const struct progress_layout *layout, uint64_t tracker_class,
			   uint64_t context);

/*
 * A submission to the legacy stream has been accepted since the last call: keeps what moved. The
 * place once it is sure, else 0; n is 0 when it will not be found.
 */
uintptr_t progress_legacy_moved(struct progress_legacy *legacy, struct own_memory *memory,
				const struct progress_layout *layout);

#endif
