/*
 * gpu_exceptions.h - meaning of the exceptions in a GPU core dump: the results of calls that they
 * lead to, and so whether a dump belongs to a failure. Any thread.
 */
#ifndef CULPRIT_COREDUMP_GPU_EXCEPTIONS_H
#define CULPRIT_COREDUMP_GPU_EXCEPTIONS_H

#include "coredump/gpu_fault.h"

/* True if the dump shows any fault. A dump that a user requested shows none. */
bool gpu_fault_is_any(const struct gpu_fault *fault);

/*
 * True if the dump may show a failure with this code. False if its exceptions are known to lead to
 * other codes.
 */
bool gpu_fault_fits(const struct gpu_fault *fault, int32_t code);

/*
 * Return the code that calls return after such a fault while dumps are off. If it is not known,
 * return that of a trap, 719.
 */
int32_t gpu_fault_result(const struct gpu_fault *fault);

/*
 * True if the driver returns another code for the fault while dumps are on. On an H200 with driver
 * 580.159 an assert gives 719 instead of 710, and running data as code 715 instead of 700.
 */
bool gpu_fault_is_retold(const struct gpu_fault *fault);

/*
 * True if there is only one kind of exception, raised by warps themselves, that is known to lead to
 * this code. This is the stronger check, for claims that rest on the dump alone.
 */
bool gpu_fault_proves(const struct gpu_fault *fault, int32_t code);

/* Return "illegal address", "trap"; "exception" for a code without a name. */
const char *gpu_exception_text(uint32_t exception);

#endif
