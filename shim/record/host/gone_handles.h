/*
 * gone_handles.h - driver handles that were destroyed a moment ago. A late thread may still pass
 * one, and the driver rejects its call; but a query about the handle would read freed memory. The
 * newest handles are kept for a second. After that no thread is late, and a handle may have been
 * reused in a way that we do not see.
 */
#ifndef CULPRIT_RECORD_GONE_HANDLES_H
#define CULPRIT_RECORD_GONE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_GONE_HANDLES = 1024 };

/* So many are kept of those that share a place; handles of one module are destroyed together. */
enum { GONE_HANDLES_SET = 8 };

/* The handles of one kind. All zero is empty. */
struct gone_handles {
	struct gone_handle {
		uint64_t handle; /* atomic, 0 if free; written last */
		uint64_t since_ns;
	} handles[MAX_GONE_HANDLES];
};

/* Add a handle that is or will be destroyed; remove one that a new object uses. Any thread. */
void gone_handles_add(struct gone_handles *gone, uint64_t handle);
void gone_handles_remove(struct gone_handles *gone, uint64_t handle);

/* True if the handle was added within the last second and not removed. Any thread. */
bool gone_handles_has(const struct gone_handles *gone, uint64_t handle);

#endif
