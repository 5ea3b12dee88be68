/*
 * checked_launch.h - one launch between two checks of the memory that it is given.
 */
#ifndef CULPRIT_INSPECT_CHECKED_LAUNCH_H
#define CULPRIT_INSPECT_CHECKED_LAUNCH_H

#include <stdint.h>

#include "base/settings.h"
#include "inspect/check_queue.h"
#include "inspect/inspected_launch.h"

struct driver;

/* Set the driver to call, and the type that the user has named (enum check_type). Start-up only. */
void checked_launch_start(const struct driver *driver, uint32_t type);

/*
 * Launch the check before the launch. NULL: the launch is not checked, since none of its pointers
 * leads to memory that can be read, or the GPU is too far behind. `wishes` are enum check_wish.
 * Calls the driver. Within a launch of this thread only, with a relaxed capture mode.
 */
struct check_entry *checked_launch_begin(const struct launch_inspected *launch, uint32_t wishes);

/* Launch the check after it; after a begin that returned an entry. Writes what has finished. */
void checked_launch_end(struct check_entry *entry, const struct launch_inspected *launch,
			CUresult result);

#endif
