/*
 * kernel_choice.h - is a kernel one that is looked at: by its name as it was compiled, or by the
 * one that people write, which the process beside the command knows.
 */
#ifndef CULPRIT_INSPECT_KERNEL_CHOICE_H
#define CULPRIT_INSPECT_KERNEL_CHOICE_H

#include <stdbool.h>

#include "base/cuda_api.h"

struct driver;

/* Of kernels that match the extended regular expression. False: it is none. Start-up only. */
bool kernel_choice_start(const char *kernels, const struct driver *driver);

/*
 * At first sight of a kernel with a C++ name it waits for the answer, up to a second once: then
 * nobody is there who answers. Calls the driver. Within a launch of this thread only.
 */
bool kernel_choice_is(CUfunction handle);

#endif
