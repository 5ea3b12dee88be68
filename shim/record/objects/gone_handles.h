/*
 * gone_handles.h - kernels' handles whose module was unloaded a moment ago. A thread that is late
 * still launches with one, which the driver refuses; but asked about it, it reads what is no longer
 * there. The newest are kept, for a second: by then no thread is late, and a handle may have come
 * back by a way that we do not see.
 */
#ifndef CULPRIT_RECORD_GONE_HANDLES_H
#define CULPRIT_RECORD_GONE_HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/* It has gone, and it is another kernel's. One at a time. */
void gone_handles_add(uint64_t handle);
void gone_handles_remove(uint64_t handle);

/* Any thread. */
bool gone_handles_has(uint64_t handle);

#endif
