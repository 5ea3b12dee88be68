/*
 * failure.c - the sticky failure of the process.
 */
#include "failure/failure.h"

#include <stdatomic.h>

#include "failure/kernel_modules.h"
#include "objects.h"
#include "settings.h"
#include "sim.h"

/*
 * Written under sim_lock. The release store of failure_code publishes failed_context and
 * visible_at_ns, which is NEVER while the failure waits for a waiter. A hidden failure leaves
 * failed_context at EVERY_CONTEXT.
 */
static _Atomic int failure_code;
static CUcontext _Atomic failed_context = EVERY_CONTEXT;
static _Atomic uint64_t visible_at_ns;

#define NEVER UINT64_MAX

static uint64_t visible_time(unsigned late_ms)
{
	return late_ms == LATE_UNTIL_WAIT ? NEVER : sim_now_ns() + late_ms * UINT64_C(1000000);
}

/* Written once, under sim_lock. It becomes failure_code when its time has come. */
static _Atomic int hidden_code;

bool failure_begin(CUresult code, unsigned late_ms, CUcontext context)
{
	if (failure_has_happened())
		return false;
	atomic_store_explicit(&failed_context, context ? context_owner(context) : NULL,
			      memory_order_relaxed);
	atomic_store_explicit(&visible_at_ns, visible_time(late_ms), memory_order_relaxed);
	atomic_store_explicit(&failure_code, (int)code, memory_order_release);
	sim_tell_progress();
	pthread_cond_broadcast(&sim_work);
	return true;
}

/* If a hidden failure's time has come, make it an ordinary one. No thread is woken for this. */
static void uncover(void)
{
	int hidden = atomic_load_explicit(&hidden_code, memory_order_acquire);
	if (hidden != CUDA_SUCCESS && sim_now_ns() >= failure_visible_at_ns())
		atomic_store_explicit(&failure_code, hidden, memory_order_release);
}

bool failure_hide(CUresult code, unsigned late_ms)
{
	if (failure_has_happened() || failure_is_hidden())
		return false;
	atomic_store_explicit(&visible_at_ns, visible_time(late_ms), memory_order_relaxed);
	atomic_store_explicit(&hidden_code, (int)code, memory_order_release);
	sim_tell_progress();
	return true;
}

void failure_tell_waiter(void)
{
	if (failure_has_happened() && failure_visible_at_ns() == NEVER)
		atomic_store_explicit(&visible_at_ns, sim_now_ns(), memory_order_relaxed);
}

/* True if the failure affects the context; with SIMCUDA_CONTAINED=1, only the failed one. */
static bool concerns(CUcontext context)
{
	CUcontext failed = atomic_load_explicit(&failed_context, memory_order_relaxed);
	return !settings.is_in_bounds || failed == EVERY_CONTEXT ||
	       (context && context_owner(context) == failed);
}

bool failure_is_hidden(void)
{
	return atomic_load_explicit(&hidden_code, memory_order_acquire) != CUDA_SUCCESS &&
	       !failure_has_happened();
}

bool failure_has_happened(void)
{
	uncover();
	return atomic_load_explicit(&failure_code, memory_order_acquire) != CUDA_SUCCESS;
}

bool failure_stops(CUcontext context)
{
	if (!failure_has_happened())
		return false;
	CUcontext failed = atomic_load_explicit(&failed_context, memory_order_relaxed);
	if (settings.is_in_bounds)
		return concerns(context);
	return failed == EVERY_CONTEXT || failed->device == context->device;
}

void failure_forget(CUcontext context)
{
	if (settings.is_in_bounds && failure_has_happened() && context &&
	    atomic_load_explicit(&failed_context, memory_order_relaxed) == context)
		atomic_store_explicit(&failure_code, CUDA_SUCCESS, memory_order_release);
}

uint64_t failure_visible_at_ns(void)
{
	return atomic_load_explicit(&visible_at_ns, memory_order_relaxed);
}

CUresult failure_visible(CUcontext context)
{
	uncover();
	int code = atomic_load_explicit(&failure_code, memory_order_acquire);
	if (code == CUDA_SUCCESS || sim_now_ns() < failure_visible_at_ns() || !concerns(context))
		return CUDA_SUCCESS;
	kernel_modules_ask();
	return (CUresult)code;
}

CUresult failure_wait_progress(CUcontext context)
{
	failure_tell_waiter();
	CUresult code = failure_visible(context);
	if (code != CUDA_SUCCESS)
		return code;
	if ((failure_has_happened() && concerns(context)) || failure_is_hidden())
		sim_wait_until(&sim_progress, failure_visible_at_ns());
	else
		sim_await_progress();
	return CUDA_SUCCESS;
}
