/*
 * fault_place.h - what a GPU's hardware would say of a processor fault in simulated work.
 */
#ifndef SIMCUDA_FAULT_PLACE_H
#define SIMCUDA_FAULT_PLACE_H

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

#include "simkernel.h"

/*
 * Describe the signal. An address with a bit that no GPU has, one that is misaligned or outside of
 * shared memory, and an overflow of the stack are exceptions of an SM; all other accesses are the
 * MMU's. `is_load` is asked where the processor does not know. `shared` is the start of shared
 * memory if the address is near it, else 0. A kernel's code is at the same addresses as on the
 * host. Signal-safe.
 */
struct simkernel_fault fault_place(int signal, const siginfo_t *info, const ucontext_t *context,
				   uint64_t shared, bool is_load);

/* Describe a misaligned access that the kernel found by itself. Signal-safe. */
struct simkernel_fault fault_place_misaligned(uint64_t address, uint64_t pc);

#endif
