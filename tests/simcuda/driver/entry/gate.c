/*
 * gate.c - the checks that all calls share, in the real driver's order of precedence.
 */
#include "entry/gate.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "captures/captures.h"
#include "code/module.h"
#include "contexts/checkpoint.h"
#include "entry/age.h"
#include "entry/policy.h"
#include "failure/failure.h"
#include "failure/inject.h"
#include "failure/kernel_modules.h"
#include "objects.h"
#include "progress/progress.h"
#include "run/asked_dump.h"
#include "run/loading.h"
#include "settings.h"
#include "sim.h"

enum process_state {
	STATE_NEW,
	STATE_OPEN,
	STATE_FORKED, /* the parent's driver does not work in a child */
	STATE_GONE,   /* the process is in exit() */
};

/* Written under sim_lock, in a forked child and in exit(). Every call reads it before the lock. */
static _Atomic int state = STATE_NEW;

static enum process_state process_state(void)
{
	return (enum process_state)atomic_load_explicit(&state, memory_order_acquire);
}

static void set_state(enum process_state new_state)
{
	atomic_store_explicit(&state, (int)new_state, memory_order_release);
}

/* Another thread of the parent may have held the lock; the child has only the forking thread. */
static void mark_forked(void)
{
	pthread_mutex_init(&sim_lock, NULL);
	if (process_state() != STATE_NEW)
		set_state(STATE_FORKED);
}

/* A trace of system calls shows when the driver shuts down. */
static void mark_gone(void)
{
	if (settings.tells_shutdown && access("simcuda-shutdown", F_OK) == 0)
		abort();
	set_state(STATE_GONE);
}

__attribute__((destructor)) static void shut_down_late(void)
{
	if (settings.shuts_down_late)
		mark_gone();
}

static CUresult check_process(void)
{
	switch (process_state()) {
	case STATE_GONE:
		return CUDA_ERROR_DEINITIALIZED;
	case STATE_OPEN:
		return CUDA_SUCCESS;
	case STATE_NEW:
	case STATE_FORKED:
		break;
	}
	return CUDA_ERROR_NOT_INITIALIZED;
}

CUresult gate_open(void)
{
	if (process_state() == STATE_NEW) {
		pthread_atfork(NULL, NULL, mark_forked);
		if (!settings.shuts_down_late)
			atexit(mark_gone);
		kernel_modules_open();
		set_state(STATE_OPEN);
		asked_dump_start();
	}
	return check_process();
}

static CUresult check_context(void)
{
	CUcontext context = context_current();
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	return context->is_destroyed ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

static CUresult check(enum driver_call call)
{
	unsigned policy = policy_of(call);
	CUresult result = inject_result(call);
	if (age_lacks(call)) {
		age_note_lacked(call);
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (result == CUDA_SUCCESS && !(policy & POLICY_ANY_TIME))
		result = check_process();
	if (result == CUDA_SUCCESS && sim_thread.is_in_host_function && !(policy & POLICY_ANY_TIME))
		result = CUDA_ERROR_NOT_PERMITTED;
	if (result == CUDA_SUCCESS && (policy & POLICY_NEEDS_CONTEXT))
		result = check_context();
	if (result == CUDA_SUCCESS && (policy & POLICY_TELLS_FAILURE))
		result = progress_told(failure_visible(context_current()));
	if (result == CUDA_SUCCESS && (policy & POLICY_UNSAFE_IN_CAPTURE))
		result = capture_check_unsafe_call();
	return result;
}

CUresult gate_enter(enum driver_call call, bool is_default_per_thread)
{
	bool moves_code = policy_of(call) & POLICY_MOVES_CODE;
	if (moves_code)
		loading_come();
	pthread_mutex_lock(&sim_lock);
	if (policy_of(call) & (POLICY_NEEDS_CONTEXT | POLICY_TELLS_FAILURE))
		checkpoint_await_unlock();
	sim_thread.is_default_per_thread = is_default_per_thread;
	CUresult result = check(call);
	if (moves_code)
		loading_begin(result == CUDA_SUCCESS ? context_current() : NULL);
	if (result != CUDA_SUCCESS)
		pthread_mutex_unlock(&sim_lock);
	return result;
}

void gate_leave(void)
{
	module_unload_released();
	loading_end();
	pthread_mutex_unlock(&sim_lock);
}
