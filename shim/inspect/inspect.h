/*
 * inspect.h - record what chosen kernels read and write. Waits for the work before the launch,
 * copies, launches, waits and copies again, so such launches are synchronous.
 *
 * Its functions replace the driver's own launches in the driver's table. So other launches, and all
 * launches without this setting, cost nothing. It inspects one launch at a time, and none during a
 * capture. After any trouble it stops for good, and launches are made as usual.
 */
#ifndef CULPRIT_INSPECT_INSPECT_H
#define CULPRIT_INSPECT_INSPECT_H

#include <stdbool.h>

/*
 * Inspect kernels whose name (see kernel_choice.h) matches the extended regular expression; "" for
 * none. True if there may be such kernels. Start-up only, when the driver's table is filled.
 */
bool inspect_start(const char *kernels);

#endif
