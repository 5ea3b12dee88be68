/*
 * fault.h - turns the processor's faults in simulated GPU work into CUDA error codes.
 *
 * Signals: handlers for SIGSEGV, SIGBUS and SIGILL are installed with SA_SIGINFO | SA_ONSTACK when
 * the first guarded work runs, and again if the program has put its own in their place. A signal
 * that does not come from guarded work on the same thread goes to the program's handler, or has
 * the default effect.
 */
#ifndef SIMCUDA_FAULT_H
#define SIMCUDA_FAULT_H

#include <stdbool.h>

#include "base/cuda_api.h"
#include "simcuda_abi.h"

/* Below each worker's stack: larger than any frame of a kernel. */
#define FAULT_STACK_GUARD_BYTES ((size_t)128 << 10)

/* Gives the calling thread the stack that its handlers run on. Once per worker. */
void fault_prepare_thread(void);

/*
 * Runs body(argument). CUDA_SUCCESS, or what it was ended by: the code of its fault, or the code
 * given to fault_leave(). Does not nest. Workers only, with or without the lock; not across
 * changes of the lock.
 */
CUresult fault_guard(void (*body)(void *argument), void *argument);

/* Of this thread's last guarded work: the data that it tried to run as code, 0 if it did not. */
uintptr_t fault_data_run(void);

/* Of this thread's last guarded work: was its fault a load's, not a store's? */
bool fault_is_load(void);

/* Ends the guarded work of this thread with that code. */
_Noreturn void fault_leave(CUresult code);

/*
 * Where the code of the kernel lies that this thread runs next, 0 and 0 for none: only there is a
 * misaligned access a fault.
 */
void fault_set_kernel_text(uintptr_t start, uintptr_t end);

/* Where this thread's shared memory lies: a fault there has a code of its own. */
void fault_set_shared_memory(uintptr_t start, uintptr_t end);

#endif
