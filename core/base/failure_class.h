/*
 * failure_class.h - meaning of the driver's sticky results, from failures.def.
 */
#ifndef CULPRIT_BASE_FAILURE_CLASS_H
#define CULPRIT_BASE_FAILURE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* True if this CUresult breaks every context of the process. Any thread. Signal-safe. */
bool failure_is_sticky(int32_t code);

/* Return "CUDA_ERROR_ILLEGAL_ADDRESS"; NULL for a code that is not in failures.def. */
const char *failure_name(int32_t code);

/* Return "illegal memory access"; NULL for a code that is not in failures.def. */
const char *failure_text(int32_t code);

/* True if the hardware itself is at fault, whatever work it ran. Any thread. */
bool failure_is_hardware(int32_t code);

/*
 * True if work of this kind (enum work_kind) can have raised the code, and for an unknown code or
 * kind: only knowledge may clear a suspect. Host functions raise none.
 */
bool failure_may_come_from(int32_t code, uint8_t work);

#endif
