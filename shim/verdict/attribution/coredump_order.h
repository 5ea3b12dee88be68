/*
 * coredump_order.h - where in the journal the number of a grid points to. Private to this folder.
 */
#ifndef CULPRIT_VERDICT_COREDUMP_ORDER_H
#define CULPRIT_VERDICT_COREDUMP_ORDER_H

#include <stdint.h>

#include "verdict/coredump/gpu_fault.h"
#include "verdict/progress/progress.h"

/*
 * The submission that the number of the faulting grid points to, 0 if that cannot be told. For the
 * order of suspects alone.
 */
uint64_t coredump_expected(const struct progress *progress, const struct gpu_fault *fault);

#endif
