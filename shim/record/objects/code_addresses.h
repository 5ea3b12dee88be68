/*
 * code_addresses.h - record where the code of kernels may be on the GPU: words of the driver's own
 * objects of functions (CUfunction). An H100 with driver 580.159 has the address at +0x68. Nothing
 * relies on that offset: all words that may be an address are recorded at the failure, and readers
 * find out which word it is (fault/code_extents.h).
 *
 * A handle that was launched may be a kernel's (CUkernel), whose function the driver must be asked
 * for. It loads the kernel's code into the current context, unless that was done, and may wait for
 * the GPU then. So it is asked only after the driver accepted a launch, in that launch's context,
 * and not during a capture.
 */
#ifndef CULPRIT_RECORD_CODE_ADDRESSES_H
#define CULPRIT_RECORD_CODE_ADDRESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cuda_api.h"

/* Set whether anything is asked and recorded. Start-up only. */
void code_addresses_start(bool are_wanted);

/* Ask the driver nothing more: it may reject the question, and log that. Any thread. Signal-safe.
 */
void code_addresses_stop_asking(void);

/*
 * `generation` is the present one of functions.h: a handle for which the driver did not answer in
 * it may be destroyed, and is not asked about.
 *
 * Note a function that the driver was asked about. Calls the driver: no lock held.
 */
void code_addresses_discovered(CUfunction handle, uint64_t generation);

/*
 * Note a function that was launched in that context, by itself or in a graph. Its object will be
 * asked for once. The driver is not called. Any thread.
 */
void code_addresses_launched(CUfunction handle, CUcontext context);

/*
 * Ask for the functions of kernels that were launched in the current context. Calls the
 * driver: no lock held, never between a launch's lock and its driver call. Any thread.
 */
void code_addresses_ask(uint64_t generation);
extern __attribute__((visibility("hidden"))) uint32_t code_addresses_owed; /* atomic */
static inline bool code_addresses_are_owed(void)
{
	return __atomic_load_n(&code_addresses_owed, __ATOMIC_RELAXED);
}

/* Write the table. The failure only. */
void code_addresses_write(uint64_t generation);

#endif
