/*
 * coredump_order.h - which submission the number of a grid points to. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_ORDER_H
#define CULPRIT_VERDICT_COREDUMP_ORDER_H

#include <stdint.h>

#include "coredump/gpu_fault.h"
#include "progress/progress.h"

/*
 * Return the submission that the number of the faulting grid points to, 0 if unknown. Use it only
 * to order suspects.
 */
uint64_t coredump_expected(const struct progress *progress, const struct gpu_fault *fault);

#endif
