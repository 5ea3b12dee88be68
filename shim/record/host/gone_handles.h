/*
 * gone_handles.h - handles of the driver that were destroyed a moment ago. A thread that is late
 * still comes with one, and the driver refuses its call; but asked about it, it reads what is no
 * longer there. The newest are kept, for a second: by then no thread is late, and a handle may have
 * come back by a way that we do not see.
 */
#ifndef CULPRIT_RECORD_GONE_HANDLES_H
#define CULPRIT_RECORD_GONE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_GONE_HANDLES = 1024 };

/* Of one kind. All zero is empty. */
struct gone_handles {
	struct gone_handle {
		uint64_t handle; /* atomic, 0: none; written last */
		uint64_t since_ns;
	} handles[MAX_GONE_HANDLES];
};

/* It has gone, or is about to; and it is a new thing's. Any thread. */
void gone_handles_add(struct gone_handles *gone, uint64_t handle);
void gone_handles_remove(struct gone_handles *gone, uint64_t handle);

/* Any thread. */
bool gone_handles_has(const struct gone_handles *gone, uint64_t handle);

#endif
