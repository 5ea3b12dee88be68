/*
 * fault.c - signal handlers and the guard around GPU work. Kernels run with the processor's
 * alignment check on, if it has one. A handler starts with the check unchanged, so it switches it
 * off first.
 */
#include "failure/fault.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "failure/fault_place.h"
#include "failure/machine.h"
#include "settings.h"
#include "sim.h"

#define SIGNAL_STACK_BYTES ((size_t)64 << 10)

struct guard {
	sigjmp_buf resume;
	bool is_active;
	CUresult code;
	uintptr_t data_run;                 /* address of data that was run as code, or 0 */
	bool is_load;                       /* the fault is known to be a load's */
	uintptr_t text_start, text_end;     /* of the running kernel */
	uintptr_t shared_start, shared_end; /* of shared memory and the free space around it */
	struct simkernel_fault said;        /* of the fault, by the hardware */
	bool is_chaining;
	bool has_timer; /* a kernel with a time limit is running */
};

static _Thread_local struct guard guard __attribute__((tls_model("initial-exec")));

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL};
enum { N_SIGNALS = sizeof(signals) / sizeof(signals[0]) };

/* The program's handlers; guarded by handlers_lock, but our handler reads them without it. */
static struct sigaction previous[N_SIGNALS];
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The alignment check also hits foreign code that a kernel runs: the loader, a memcpy, a structure
 * copy by the compiler. Such code continues without the check.
 */
static bool is_foreign_alignment_fault(int signal, const siginfo_t *info, ucontext_t *context)
{
	uintptr_t instruction = machine_instruction(context);
	if (signal != SIGBUS || info->si_code != BUS_ADRALN)
		return false;
	if (instruction >= guard.text_start && instruction < guard.text_end &&
	    !machine_is_structure_copy(context))
		return false;
	machine_continue_unchecked(context);
	return true;
}

static bool is_in_shared(const siginfo_t *info)
{
	uintptr_t address = (uintptr_t)info->si_addr;
	return address >= guard.shared_start && address < guard.shared_end;
}

/* As on an H200, running data as code and endless recursion are illegal addresses. */
static CUresult code_of(int signal, const siginfo_t *info)
{
	if (signal == SIGILL)
		return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	if (signal == SIGBUS && info->si_code == BUS_ADRALN)
		return CUDA_ERROR_MISALIGNED_ADDRESS;
	if (is_in_shared(info))
		return CUDA_ERROR_ILLEGAL_INSTRUCTION;
	return CUDA_ERROR_ILLEGAL_ADDRESS;
}

/* Return the address of an instruction that cannot be fetched, or 0. */
static uintptr_t data_run(int signal, const siginfo_t *info, const ucontext_t *context)
{
	uintptr_t instruction = machine_instruction(context);
	return signal == SIGSEGV && instruction == (uintptr_t)info->si_addr ? instruction : 0;
}

/* Where the processor does not say it, only the kernel's own instructions are known. */
static bool is_load(int signal, const siginfo_t *info, const ucontext_t *context)
{
	uintptr_t instruction = machine_instruction(context);
	bool is_of_kernel = instruction >= guard.text_start && instruction < guard.text_end;
	return (is_of_kernel || machine_is_page_fault(signal, info, context)) &&
	       machine_access(info, context) == MACHINE_READ;
}

static int index_of(int signal)
{
	int i = 0;
	while (i < N_SIGNALS - 1 && signals[i] != signal)
		i++;
	return i;
}

/* Restore the default action: the faulting instruction runs again and ends the process. */
static void take_default(int signal, const siginfo_t *info)
{
	struct sigaction action = {.sa_handler = SIG_DFL};
	sigaction(signal, &action, NULL);
	if (info->si_code <= 0) /* sent by kill(): no instruction raises it again */
		raise(signal);
}

static void chain(int signal, siginfo_t *info, void *context)
{
	const struct sigaction *action = &previous[index_of(signal)];
	if (guard.is_chaining || action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
		take_default(signal, info);
		return;
	}
	/* A program's handler may call the previous handler, which can be this one. */
	guard.is_chaining = true;
	if (action->sa_flags & SA_SIGINFO)
		action->sa_sigaction(signal, info, context);
	else
		action->sa_handler(signal);
	guard.is_chaining = false;
}

/* End a kernel that exceeds its time limit, unless it has just finished. */
static void leave_late_kernel(void)
{
	if (!guard.is_active || !guard.has_timer)
		return;
	guard.code = CUDA_ERROR_LAUNCH_TIMEOUT;
	siglongjmp(guard.resume, 1);
}

static void handle_signal(int signal, siginfo_t *info, void *context)
{
	machine_alignment_check_off();
	if (info->si_code == SI_TIMER) {
		leave_late_kernel();
		return;
	}
	if (!guard.is_active) {
		chain(signal, info, context);
		return;
	}
	if (is_foreign_alignment_fault(signal, info, context))
		return;
	guard.code = code_of(signal, info);
	guard.data_run = data_run(signal, info, context);
	guard.is_load = is_load(signal, info, context);
	guard.said = fault_place(signal, info, context, is_in_shared(info) ? guard.shared_start : 0,
				 guard.is_load);
	guard.said.gpu_ns = sim_now_ns();
	siglongjmp(guard.resume, 1);
}

/* The program may install its handlers after cuInit, so check each time, which is cheap. */
static void install_handlers(void)
{
	struct sigaction current;
	struct sigaction own = {.sa_sigaction = handle_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigemptyset(&own.sa_mask);
	pthread_mutex_lock(&handlers_lock);
	for (int i = 0; i < N_SIGNALS; i++) {
		sigaction(signals[i], NULL, &current);
		if ((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_signal)
			continue;
		previous[i] = current;
		sigaction(signals[i], &own, NULL);
	}
	pthread_mutex_unlock(&handlers_lock);
}

void fault_prepare_thread(void)
{
	stack_t stack = {.ss_size = SIGNAL_STACK_BYTES};
	stack.ss_sp = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
		abort();
}

/* Limit a kernel's time, as on a GPU with a display, by a signal that has a handler here. */
static bool start_timer(timer_t *out)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGSEGV};
	struct itimerspec end = {
		.it_value = {.tv_sec = settings.timeout_ms / 1000,
			     .tv_nsec = (long)(settings.timeout_ms % 1000) * 1000000}};
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	return settings.timeout_ms && guard.text_end &&
	       timer_create(CLOCK_MONOTONIC, &event, out) == 0 &&
	       timer_settime(*out, 0, &end, NULL) == 0;
}

CUresult fault_guard(void (*body)(void *argument), void *argument)
{
	timer_t timer = 0;
	install_handlers();
	guard.has_timer = start_timer(&timer);
	guard.code = CUDA_SUCCESS;
	guard.data_run = 0;
	guard.is_load = false;
	guard.said = (struct simkernel_fault){.kind = SIMKERNEL_NONE};
	if (sigsetjmp(guard.resume, 1) == 0) {
		guard.is_active = true;
		body(argument);
	}
	guard.is_active = false;
	if (guard.has_timer)
		timer_delete(timer);
	guard.has_timer = false;
	return guard.code;
}

uintptr_t fault_data_run(void)
{
	return guard.data_run;
}

bool fault_is_load(void)
{
	return guard.is_load;
}

const struct simkernel_fault *fault_said(void)
{
	return &guard.said;
}

_Noreturn void fault_leave(CUresult code)
{
	guard.code = code;
	siglongjmp(guard.resume, 1);
}

_Noreturn void fault_misaligned(uint64_t address, uint64_t pc, bool is_load)
{
	guard.is_load = is_load;
	guard.said = fault_place_misaligned(address, pc);
	fault_leave(CUDA_ERROR_MISALIGNED_ADDRESS);
}

void fault_set_kernel_text(uintptr_t start, uintptr_t end)
{
	guard.text_start = start;
	guard.text_end = end;
}

void fault_set_shared_memory(uintptr_t start, uintptr_t end)
{
	guard.shared_start = start;
	guard.shared_end = end;
}
