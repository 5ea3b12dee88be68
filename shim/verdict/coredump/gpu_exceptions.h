/*
 * gpu_exceptions.h - what the exceptions of a GPU core dump mean: which results of calls they end
 * in, and what a dump therefore tells of a failure. Any thread.
 */
#ifndef CULPRIT_VERDICT_GPU_EXCEPTIONS_H
#define CULPRIT_VERDICT_GPU_EXCEPTIONS_H

#include "verdict/coredump/gpu_fault.h"

/* Does the dump tell of any fault? One that was asked for by a user does not. */
bool gpu_fault_is_any(const struct gpu_fault *fault);

bool gpu_fault_has(const struct gpu_fault *fault, enum gpu_exception exception);

/*
 * Can this failure be what the dump tells of? False if the dump's exceptions are known to end in
 * other codes.
 */
bool gpu_fault_fits(const struct gpu_fault *fault, int32_t code);

/*
 * The code that calls return after such a fault while dumps are off, as far as is known; else that
 * of a trap, 719.
 */
int32_t gpu_fault_result(const struct gpu_fault *fault);

/*
 * Is it one for which the driver returns another code while dumps are on? Seen on an H200 under
 * driver 580.159: 719 for an assert, not 710; 715 for data that is run as code, not 700.
 */
bool gpu_fault_is_retold(const struct gpu_fault *fault);

/*
 * Is there only one kind of exception, of warps themselves, and is it known to end in this code?
 * The stronger question: for a claim that the dump alone is to prove.
 */
bool gpu_fault_proves(const struct gpu_fault *fault, int32_t code);

/* "illegal address", "trap"; for a code of no name "exception". */
const char *gpu_exception_text(uint32_t exception);

#endif
