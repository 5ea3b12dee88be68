/*
 * fault.h - turn processor faults in simulated GPU work into CUDA error codes.
 *
 * Signals: handlers for SIGSEGV, SIGBUS and SIGILL are installed with SA_SIGINFO | SA_ONSTACK when
 * the first guarded work runs, and again if the program has replaced them. A signal that guarded
 * work of the same thread did not raise goes to the program's handler or has the default effect.
 */
#ifndef SIMCUDA_FAULT_H
#define SIMCUDA_FAULT_H

#include <stdbool.h>

#include "base/cuda_api.h"
#include "simcuda_abi.h"
#include "simkernel.h"

/* Below each worker's stack: larger than any frame of a kernel. */
#define FAULT_STACK_GUARD_BYTES ((size_t)128 << 10)

/* Give the calling thread an alternate signal stack. Call once per worker. */
void fault_prepare_thread(void);

/*
 * Run body(argument). Return CUDA_SUCCESS, the code of its fault, or the code given to
 * fault_leave(). Calls do not nest. Workers only, with or without the lock; body must not take or
 * release it.
 */
CUresult fault_guard(void (*body)(void *argument), void *argument);

/* Return the address that this thread's last guarded work tried to run as code, or 0. */
uintptr_t fault_data_run(void);

/* True if a load, and not a store, faulted in this thread's last guarded work. */
bool fault_is_load(void);

/* Return what the hardware says of the fault of this thread's last guarded work. */
const struct simkernel_fault *fault_said(void);

/* End this thread's guarded work with that code. */
_Noreturn void fault_leave(CUresult code);

/* End the guarded work for an access that the kernel itself found to be misaligned. */
_Noreturn void fault_misaligned(uint64_t address, uint64_t pc, bool is_load);

/*
 * Set the code range of the kernel that this thread runs next, or 0 and 0. Misaligned accesses
 * fault only there.
 */
void fault_set_kernel_text(uintptr_t start, uintptr_t end);

/* Set the range of this thread's shared memory: a fault there has another code. */
void fault_set_shared_memory(uintptr_t start, uintptr_t end);

#endif
