/*
 * failure_class.h - what the driver's sticky results mean: views of failures.def.
 */
#ifndef CULPRIT_BASE_FAILURE_CLASS_H
#define CULPRIT_BASE_FAILURE_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* Does this CUresult end every context of the process? Any thread. Signal-safe. */
bool failure_is_sticky(int32_t code);

/* "CUDA_ERROR_ILLEGAL_ADDRESS"; NULL for a code that failures.def does not have. */
const char *failure_name(int32_t code);

/* "access to an illegal address"; NULL as above. */
const char *failure_text(int32_t code);

/* Is the code the hardware's own fault, whatever it was working on? Any thread. */
bool failure_is_hardware(int32_t code);

/*
 * Can work of this kind (enum work_kind) have raised the code? Of a code or a kind that is not
 * known the answer is yes: only knowledge may clear a suspect. Host functions raise none.
 */
bool failure_may_come_from(int32_t code, uint8_t work);

#endif
