/*
 * kernel_choice.h - decide whether a kernel is inspected: by its compiled name, or by its readable
 * name, which the command's process beside this one knows.
 */
#ifndef CULPRIT_INSPECT_KERNEL_CHOICE_H
#define CULPRIT_INSPECT_KERNEL_CHOICE_H

#include <stdbool.h>

#include "base/cuda_api.h"
#include "base/inspection.h"

struct driver;

/*
 * Choose kernels that match the extended regular expression, "." for all. False: it is invalid.
 * `driver` is the driver's own entry points. Start-up only.
 */
bool kernel_choice_start(enum kernel_choice choice, const char *kernels,
			 const struct driver *driver);

/*
 * True if the kernel is chosen for inspection. For a new kernel with a C++ name it waits for the
 * answer, up to a second. After the first wait in vain it never waits again. Calls the driver.
 * Within a launch of this thread only.
 */
bool kernel_choice_is(CUfunction handle);

/* The same for checks for NaN. */
bool kernel_choice_is_for_nan(CUfunction handle);

#endif
