/*
 * left.c - hosts that leave calls of the driver without returning from them: a test program's time
 * limit jumps out of a signal's handler, or a thread is cancelled. The call is always left in a
 * wait.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "../host.h"
#include "../scenarios.h"

enum { N_ROUNDS = 45, N_TIMED = 15, SLOW_US = 5000, PERIOD_US = 1000, N_BESIDE = 20 };

static CUdeviceptr copied;
static sigjmp_buf way_out;
static pthread_t victim;
static pid_t waiter; /* told by is_left */
static sem_t is_left, may_go_on;
static volatile sig_atomic_t may_jump; /* while way_out is one */

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* At least one of these launches is as quick as without culprit, however busy the machine is. */
static void launch_quickly(const char *when)
{
	double fastest = 1e9;

	for (int i = 0; i < N_TIMED; i++) {
		double began = now_us();
		NEED(host_fill(NULL));
		double took = now_us() - began;
		fastest = took < fastest ? took : fastest;
	}
	if (fastest > SLOW_US)
		printf("slow: %s\n", when);
}

/* Wait in the driver until the gate is opened; the stream has room for the others' launches. */
static void wait_in_driver(unsigned kind)
{
	static char bytes[16]; /* the copy may be made when the call is long left */

	if (getenv("LEFT_KIND"))
		kind = (unsigned)atoi(getenv("LEFT_KIND"));
	if (kind % 3 == 0)
		cuMemcpyDtoH(bytes, copied, sizeof(bytes));
	else if (kind % 3 == 1)
		cuStreamSynchronize(NULL);
	else
		for (;;)
			host_fill(NULL);
}

/*
 * True for the driver's wait for the GPU: it has no timeout and is made by syscall(). Waits for a
 * lock differ: the C library makes its own inside its code, and culprit's have a timeout.
 */
static bool is_wait(uintptr_t operation, uintptr_t timeout, uintptr_t address)
{
	enum { SYSCALL_BYTES = 64 };

	return operation == FUTEX_WAIT_PRIVATE && timeout == 0 &&
	       address - (uintptr_t)syscall < SYSCALL_BYTES;
}

static bool is_in_wait(const ucontext_t *context)
{
#ifdef __x86_64__
	const greg_t *registers = context->uc_mcontext.gregs;

	return registers[REG_RAX] == -EINTR &&
	       is_wait((uintptr_t)registers[REG_RSI], (uintptr_t)registers[REG_R10],
		       (uintptr_t)registers[REG_RIP]);
#else
	const mcontext_t *registers = &context->uc_mcontext;

	return (int64_t)registers->regs[0] == -EINTR &&
	       is_wait(registers->regs[1], registers->regs[3], registers->pc);
#endif
}

/* End the program with status 77 if the kernel does not see the system calls that this program
 * makes. */
static void need_calls_in_proc(void)
{
	FILE *file = fopen("/proc/thread-self/syscall", "r");
	unsigned number = 0;

	NEED_TRUE(file);
	if (fscanf(file, "%u", &number) == 1 && number == SYS_read) {
		fclose(file);
		return;
	}
	fprintf(stderr, "/proc does not show this program's system calls: it is emulated\n");
	exit(77);
}

/* Return when the thread is in that wait. */
static void await_wait(pid_t thread)
{
	uintptr_t operation, timeout, address;
	unsigned number;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", thread);
	for (;;) {
		FILE *file = fopen(path, "r");
		NEED_TRUE(file);
		int n = fscanf(file, "%u %*x %" SCNxPTR " %*x %" SCNxPTR " %*x %*x %*x %" SCNxPTR,
			       &number, &operation, &timeout, &address);
		fclose(file);
		if (n == 4 && number == SYS_futex && is_wait(operation, timeout, address))
			return;
		usleep(1000);
	}
}

static void jump(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (!may_jump || !pthread_equal(pthread_self(), victim) || !is_in_wait(context))
		return;
	may_jump = 0;
	siglongjmp(way_out, 1);
}

static void interrupt_every(suseconds_t period_us)
{
	const struct itimerval every = {{0, period_us}, {0, period_us}};

	NEED_TRUE(setitimer(ITIMER_REAL, &every, NULL) == 0);
}

static void leave_one(unsigned kind)
{
	if (sigsetjmp(way_out, 1) == 0) {
		may_jump = 1;
		interrupt_every(PERIOD_US);
		wait_in_driver(kind);
		printf("not left\n");
	}
	interrupt_every(0);
}

static void *launch_for_another(void *unused)
{
	(void)unused;
	host_use();
	for (unsigned round = 0; round < N_ROUNDS; round++) {
		NEED_TRUE(sem_wait(&is_left) == 0);
		host_open_gate();
		launch_quickly("another thread's launch");
		NEED_TRUE(sem_post(&may_go_on) == 0);
	}
	return NULL;
}

static void open_waits(void)
{
	host_open();
	NEED(cuMemAlloc(&copied, 4096));
	NEED_TRUE(sem_init(&is_left, 0, 0) == 0 && sem_init(&may_go_on, 0, 0) == 0);
}

int calls_left(void)
{
	struct sigaction action = {.sa_sigaction = jump, .sa_flags = SA_SIGINFO};
	sigset_t alarm_only;
	pthread_t other;

	open_waits();
	victim = pthread_self();
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	NEED_TRUE(pthread_sigmask(SIG_BLOCK, &alarm_only, NULL) == 0);
	NEED_TRUE(pthread_create(&other, NULL, launch_for_another, NULL) == 0);
	NEED_TRUE(pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL) == 0);
	NEED_TRUE(sigaction(SIGALRM, &action, NULL) == 0);
	for (unsigned round = 0; round < N_ROUNDS; round++) {
		host_close_gate(NULL);
		leave_one(round);
		NEED_TRUE(sem_post(&is_left) == 0);
		while (sem_wait(&may_go_on) != 0)
			;
		launch_quickly("the same thread's launch");
		NEED(cuCtxSynchronize());
	}
	NEED_TRUE(pthread_join(other, NULL) == 0);
	return host_fail();
}

static void *wait_to_be_cancelled(void *kind)
{
	int type = (uintptr_t)kind % 2 ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;

	host_use();
	NEED_TRUE(pthread_setcanceltype(type, NULL) == 0);
	waiter = gettid();
	NEED_TRUE(sem_post(&is_left) == 0);
	wait_in_driver((unsigned)(uintptr_t)kind / 2);
	return NULL;
}

int calls_cancelled(void)
{
	need_calls_in_proc();
	open_waits();
	for (uintptr_t round = 0; round < N_ROUNDS; round++) {
		void *result;
		pthread_t thread;
		host_close_gate(NULL);
		NEED_TRUE(pthread_create(&thread, NULL, wait_to_be_cancelled, (void *)round) == 0);
		NEED_TRUE(sem_wait(&is_left) == 0);
		await_wait(waiter);
		NEED_TRUE(pthread_cancel(thread) == 0);
		host_open_gate();
		NEED_TRUE(pthread_join(thread, &result) == 0);
		launch_quickly("a launch after a cancelled thread's");
		NEED(cuCtxSynchronize());
	}
	return host_fail();
}

static void *copy_behind_gate(void *unused)
{
	char bytes[16];

	(void)unused;
	host_use();
	NEED_TRUE(sem_post(&is_left) == 0);
	NEED(cuMemcpyDtoH(bytes, copied, sizeof(bytes)));
	return NULL;
}

int launches_beside_copy(void)
{
	open_waits();
	for (int round = 0; round < N_BESIDE; round++) {
		pthread_t thread;
		host_close_gate(NULL);
		NEED_TRUE(pthread_create(&thread, NULL, copy_behind_gate, NULL) == 0);
		NEED_TRUE(sem_wait(&is_left) == 0);
		usleep(5000);
		launch_quickly("a launch beside a copy");
		host_open_gate();
		NEED_TRUE(pthread_join(thread, NULL) == 0);
		NEED(cuCtxSynchronize());
	}
	return host_fail();
}

/* Hold the victim in the driver's wait, for longer than the wait takes. */
static void hold(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	if (!may_jump || !pthread_equal(pthread_self(), victim) || !is_in_wait(context))
		return;
	may_jump = 0;
	NEED_TRUE(sem_post(&is_left) == 0);
	while (sem_wait(&may_go_on) != 0)
		;
}

static void *fill_the_queue(void *unused)
{
	sigset_t alarm_only;

	(void)unused;
	host_use();
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	victim = pthread_self();
	may_jump = 1;
	NEED_TRUE(pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL) == 0);
	for (int i = 0; i < 2 * N_BESIDE; i++)
		NEED(host_fill(NULL));
	return NULL;
}

/*
 * The held launch has not returned from the driver, which accepts and runs other launches
 * meanwhile.
 */
int launches_beside_held(void)
{
	struct sigaction action = {.sa_sigaction = hold, .sa_flags = SA_SIGINFO};
	sigset_t alarm_only;
	pthread_t other;

	open_waits();
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	NEED_TRUE(pthread_sigmask(SIG_BLOCK, &alarm_only, NULL) == 0);
	NEED_TRUE(sigaction(SIGALRM, &action, NULL) == 0);
	host_close_gate(NULL);
	NEED_TRUE(pthread_create(&other, NULL, fill_the_queue, NULL) == 0);
	interrupt_every(PERIOD_US);
	NEED_TRUE(sem_wait(&is_left) == 0);
	interrupt_every(0);
	host_open_gate();
	for (int i = 0; i < N_TIMED; i++)
		NEED(host_fill(NULL));
	NEED_TRUE(sem_post(&may_go_on) == 0);
	NEED_TRUE(pthread_join(other, NULL) == 0);
	NEED(cuCtxSynchronize());
	NEED(host_fill(NULL));
	NEED(cuCtxSynchronize());
	return host_fail();
}
