/*
 * check.h - kernels of ours that summarise memory on the GPU: NaN and infinities, minimum, maximum
 * and a checksum of ranges (base/check_format.h). Each writes its answer to host memory, without a
 * wait. Used for launches and for nodes of graphs, if the user asks for checks.
 *
 * Everything is made in a context when it is first needed there. The driver is called directly, so
 * the journal knows nothing of it. No lock is held during these calls. If two threads prepare the
 * same context at once, the second thread's kernels or pages stay unused.
 */
#ifndef CULPRIT_CHECK_CHECK_H
#define CULPRIT_CHECK_CHECK_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check_format.h"
#include "base/cuda_api.h"
#include "check/check_pages.h"

struct check_context;

/*
 * Return what checks need in the current context, made now if it is new. NULL: none is current, it
 * is a green context, or the driver refuses. Calls the driver: no lock held, and with a relaxed
 * capture mode. Any thread.
 */
struct check_context *check_current_context(void);

/*
 * Forget a destroyed context: a later one with this handle is another one. Answers of its
 * checks stay. A process has checks in 64 contexts at most. Any thread.
 */
void check_forget_context(CUcontext handle);

/* Return the kernel for orders with these flags, a function of that context. Any thread. */
CUfunction check_kernel(const struct check_context *context, uint32_t flags);

/*
 * Take `n` slots (at most CHECK_PAGE_SLOTS) that have never run, for as long as the process lives.
 * False: memory is short, and none is taken. Calls the driver if a new page is needed: as
 * check_current_context(), and the context must be current. Any thread.
 */
bool check_take_slots(struct check_context *context, size_t n, struct check_slot *out);

/* How ranges are checked. */
struct check_mode {
	uint32_t flags;   /* enum check_flags */
	uint32_t longest; /* with CHECK_ODD_ONLY: chunks; longer ranges are sampled */
};

/*
 * Fill an order for up to CHECK_ORDER_RANGES ranges, whose places and versions are set. It is
 * launched with n_blocks blocks of CHECK_THREADS threads. Any thread.
 */
void check_fill_order(const struct check_slot *slot, const struct check_range *ranges, size_t n,
		      const struct check_mode *mode, struct check_order *out);

/* Return how many bytes of a range of `bytes` bytes are read. Any thread. */
uint64_t check_bytes_read(uint64_t bytes, const struct check_mode *mode);

/*
 * Launch the order on a stream of the current context, by the driver's own cuLaunchKernel, which
 * the caller names: its entry in `real` may be replaced. Returns the driver's result. Any thread.
 */
CUresult check_launch(const struct check_context *context, const struct check_order *order,
		      CUstream stream, __typeof__(&cuLaunchKernel) launch);

/* True if the slot's answer is complete for run number `run`, from 1, or a later one. Any thread.
 */
static inline bool check_has_run(const struct check_slot *slot, uint32_t run)
{
	/* Pairs with the kernel's fence for the whole system before its last store. */
	uint32_t newest = __atomic_load_n(&slot->answer->run, __ATOMIC_ACQUIRE);
	return newest && (int32_t)(newest - run) >= 0;
}

/* True if it has values that are odd by these flags (enum check_flags). Any thread. */
static inline bool check_is_odd(const volatile struct check_result *result, uint32_t flags)
{
	return result->n_nan || ((flags & CHECK_INFINITY_IS_ODD) && result->n_infinite);
}

/*
 * Lock for the last write at the process's end. Another writer is soon done, but the owner may be
 * this thread, interrupted by a signal handler, or a thread that has exited. So wait 10 ms at most.
 * False: it is not locked.
 */
bool check_lock_at_end(pthread_mutex_t *lock);

#endif
