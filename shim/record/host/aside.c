/*
 * aside.c - a thread that waits for a process that does the work. The process borrows the thread's
 * thread-local memory, which the C library needs; the thread does not touch it meanwhile.
 */
#include "record/host/aside.h"

#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/elf_lookup.h"
#include "base/time_units.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"

/* Stacks of the thread and the process. The host's thread-local memory is added to the first. */
enum { THREAD_STACK = 64 * 1024, STACK_SIZE = 192 * 1024, MAX_DESCRIPTORS = 1024 };

/*
 * Bits of the state; 0: idle. STARTING: the process does not exist yet, and would not be made if
 * the host exited. MORE: other work is kept. ENDING: none is kept any more, since the process ends.
 */
enum { BUSY = 1, STARTING = 2, MORE = 4, ENDING = 8 };

/* How long to wait for the kernel alone, to make the process or to end it, whatever the disk does.
 */
static const uint64_t PROCESS_WAIT_NS = NS_PER_S;

/* Valgrind and the sanitizers cannot follow a process that shares memory. Written at start only. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
static bool is_thread_enough = true;
#else
static bool is_thread_enough;
#endif

static uint32_t state;       /* atomic: the bits, a futex */
static uint32_t process;     /* a futex: its number while it lives, 0 then */
static void (*wanted)(void); /* like the stack, belongs to the thread that set BUSY, until idle */
static void (*kept)(void);   /* atomic: with MORE, the newest work that came while BUSY */
static _Alignas(64) unsigned char stack[STACK_SIZE];

/* Valgrind refuses such a clone(). Its library is looked for, since a program may unset LD_PRELOAD.
 */
void aside_start(void)
{
	is_thread_enough = is_thread_enough || elf_next_symbol("_vgnU_freeres", NULL);
}

static void wake(void)
{
	(void)syscall(SYS_futex, &state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void become_idle(void)
{
	/* Pairs with the acquire of a thread that takes the state next, or waits for this work. */
	__atomic_store_n(&state, 0, __ATOMIC_RELEASE);
	wake();
}

static void tell_started(void)
{
	(void)__atomic_fetch_and(&state, ~(uint32_t)STARTING, __ATOMIC_RELAXED);
	wake();
}

/* Return false if nothing is kept; from then on nothing will be. */
static bool take_kept(void (**out_work)(void))
{
	uint32_t now = __atomic_load_n(&state, __ATOMIC_RELAXED);
	uint32_t next = 0;
	do {
		next = now & MORE ? now & ~(uint32_t)MORE : now | ENDING;
		/* Pairs with keep(). */
	} while (!__atomic_compare_exchange_n(&state, &now, next, false, __ATOMIC_ACQUIRE,
					      __ATOMIC_RELAXED));
	*out_work = __atomic_load_n(&kept, __ATOMIC_RELAXED);
	return !(next & ENDING);
}

/* Return false if nothing is kept any more, and soon all is idle. */
static bool keep(void (*more)(void))
{
	__atomic_store_n(&kept, more, __ATOMIC_RELAXED);
	uint32_t now = __atomic_load_n(&state, __ATOMIC_RELAXED);
	do {
		if (!(now & BUSY) || now & ENDING)
			return false;
		/* Pairs with take_kept(). */
	} while (!__atomic_compare_exchange_n(&state, &now, now | MORE, false, __ATOMIC_RELEASE,
					      __ATOMIC_RELAXED));
	return true;
}

static void do_all(void)
{
	void (*next)(void) = wanted;
	do
		next();
	while (take_kept(&next));
}

/* The table is shared up to here, so that no descriptor is ever held twice. */
static void leave_descriptors(void)
{
	if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0 || unshare(CLONE_FILES) != 0)
		return;
	for (int fd = 0; fd < MAX_DESCRIPTORS; fd++)
		(void)close(fd);
}

static int work_in_process(void *unused)
{
	(void)unused;
	leave_descriptors();
	(void)prctl(PR_SET_NAME, "culprit");
	do_all();
	return 0;
}

/*
 * The kernel sets the word to 0 and wakes the futex when the process has exited. Not by waitpid():
 * the stack is in use until then, and a filter of system calls may refuse that.
 */
static void wait_for_process(void)
{
	uint32_t number = __atomic_load_n(&process, __ATOMIC_ACQUIRE);
	for (; number; number = __atomic_load_n(&process, __ATOMIC_ACQUIRE))
		(void)syscall(SYS_futex, &process, FUTEX_WAIT, number, NULL, NULL, 0);
}

static void *work(void *unused)
{
	(void)unused;
	/* Untraced: debuggers would take it for a thread of the host. */
	const int flags = CLONE_VM | CLONE_FILES | CLONE_UNTRACED | CLONE_PARENT_SETTID |
			  CLONE_CHILD_CLEARTID;
	pid_t number = -1;
	if (!is_thread_enough)
		number = clone(work_in_process, stack + STACK_SIZE, flags, NULL, &process, NULL,
			       &process);
	tell_started();
	if (number > 0) {
		wait_for_process();
		(void)waitpid(number, NULL, (int)__WCLONE);
	} else {
		do_all(); /* Also with a filter of system calls, or a limit on processes. */
	}
	become_idle();
	return NULL;
}

static int create(pthread_attr_t *attributes)
{
	pthread_t thread = 0;
	int error = pthread_create(&thread, attributes, work, NULL);
	/* The host's thread-local memory counts as stack, and may exceed THREAD_STACK. */
	if (error && pthread_attr_setstacksize(attributes, 8 << 20) == 0)
		error = pthread_create(&thread, attributes, work, NULL);
	return error;
}

/* All signals are blocked, in the process too: it must not take any of the host's. 0 or -errno. */
static int start(void)
{
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return -ENOMEM;
	(void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&attributes, THREAD_STACK);
	sigset_t all;
	(void)sigfillset(&all);
	sigset_t before;
	int error = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!error) {
		error = create(&attributes);
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	(void)pthread_attr_destroy(&attributes);
	return -error;
}

/* Wait until none of these bits is set. Return false if the time is up. */
static bool wait_for(uint32_t bits, uint64_t end_ns)
{
	const struct timespec end = {.tv_sec = (time_t)(end_ns / NS_PER_S),
				     .tv_nsec = (long)(end_ns % NS_PER_S)};
	uint32_t now = __atomic_load_n(&state, __ATOMIC_ACQUIRE);
	for (; now & bits; now = __atomic_load_n(&state, __ATOMIC_ACQUIRE)) {
		long waited = syscall(SYS_futex, &state, FUTEX_WAIT_BITSET_PRIVATE, now, &end, NULL,
				      FUTEX_BITSET_MATCH_ANY);
		if (waited < 0 && errno == ETIMEDOUT)
			return !(__atomic_load_n(&state, __ATOMIC_ACQUIRE) & bits);
		if (waited < 0 && errno != EAGAIN && errno != EINTR)
			return false; /* a filter of system calls */
	}
	return true;
}

/* The time is up. Work that has started is done even if the host exits now. */
static int leave_it(uint64_t end_ns)
{
	(void)wait_for(STARTING, end_ns + PROCESS_WAIT_NS);
	return -ETIMEDOUT;
}

static int do_by(void (*work_wanted)(void), uint64_t end_ns)
{
	uint32_t idle = 0;
	while (!__atomic_compare_exchange_n(&state, &idle, BUSY | STARTING, false, __ATOMIC_ACQUIRE,
					    __ATOMIC_RELAXED)) {
		idle = 0;
		if (wait_for(BUSY, end_ns))
			continue;
		if (keep(work_wanted) || !wait_for(BUSY, end_ns + PROCESS_WAIT_NS))
			return leave_it(end_ns);
	}
	wanted = work_wanted;
	int error = start();
	if (error) {
		become_idle();
		return error;
	}
	return wait_for(BUSY, end_ns) ? 0 : leave_it(end_ns);
}

int aside_do(void (*work_wanted)(void), uint64_t wait_ns)
{
	int cancellation = cancellation_hold();
	int error = do_by(work_wanted, clock_kernel_ns() + wait_ns);
	cancellation_restore(cancellation);
	return error;
}

bool aside_is_busy(void)
{
	return __atomic_load_n(&state, __ATOMIC_RELAXED) & BUSY;
}
