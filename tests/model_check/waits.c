/*
 * waits.c - what threads wait for: locks, futexes, and stores of other threads. model_names.h puts
 * these functions in the place of the C library's.
 */
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>

#include "checker.h"
#include "memory.h"
#include "model.h"
#include "shadow.h"
#include "threads.h"
#include "trace.h"
#include "views.h"

void model_spin(void)
{
	struct thread *thread = current();
	memory_settle();
	if (!memory_has_newer(thread))
		threads_block(WAITS_FOR_STORE, NULL);
	thread->must_be_newer = true;
}

int model_sched_yield(void)
{
	model_spin();
	return 0;
}

int model_mutex_init(const void *mutex, const void *attributes)
{
	(void)attributes;
	memory_settle();
	shadow_access(mutex, 1, PLAIN_WRITE, __builtin_return_address(0));
	*threads_lock(mutex) = (struct lock){.address = mutex};
	return 0;
}

static void take(struct lock *lock)
{
	lock->is_held = true;
	current()->has_acted = true;
	views_join(&current()->now, &lock->view);
	views_join(&current()->acquired, &lock->view);
}

int model_mutex_lock(const void *mutex)
{
	struct lock *lock = threads_lock(mutex);
	memory_settle();
	threads_point();
	shadow_access(mutex, 1, ATOMIC_READ, __builtin_return_address(0));
	if (lock->is_held)
		threads_block(WAITS_FOR_LOCK, mutex);
	take(lock);
	trace_add("lock", __builtin_return_address(0), mutex, 0, -1);
	return 0;
}

int model_mutex_trylock(const void *mutex)
{
	struct lock *lock = threads_lock(mutex);
	memory_settle();
	threads_point();
	bool is_taken = !lock->is_held;
	if (is_taken)
		take(lock);
	trace_add(is_taken ? "lock" : "trylock (fails)", __builtin_return_address(0), mutex, 0, -1);
	return is_taken ? 0 : EBUSY;
}

int model_mutex_unlock(const void *mutex)
{
	struct lock *lock = threads_lock(mutex);
	memory_settle();
	threads_point();
	threads_settle();
	trace_add("unlock", __builtin_return_address(0), mutex, 0, -1);
	lock->is_held = false;
	current()->has_acted = true;
	lock->view = current()->now;
	current()->now.clock[checker->thread]++;
	return 0;
}

/* Return the thread that has waited for the longest time, or NULL. */
static struct thread *waiting(const void *futex)
{
	struct thread *found = NULL;
	for (uint32_t i = 1; i < checker->n_threads; i++) {
		struct thread *thread = &checker->threads[i];
		if (thread->wait == WAITS_FOR_WAKE && thread->waits_on == futex &&
		    (!found || thread->turn < found->turn))
			found = thread;
	}
	return found;
}

static long wake(const void *futex, uint64_t n)
{
	long n_woken = 0;
	current()->has_acted = true;
	struct thread *thread = NULL;
	while ((uint64_t)n_woken < n && (thread = waiting(futex))) {
		thread->wait = RUNNING;
		n_woken++;
	}
	return n_woken;
}

/* A wait never times out: a wake-up that is lost would go unnoticed. */
static long wait_on(const void *futex, uint32_t value, const void *pc)
{
	bool is_equal = memory_newest(futex, sizeof(value)) == value;
	trace_add(is_equal ? "futex wait" : "futex wait (fails)", pc, futex, value, -1);
	if (is_equal) {
		threads_block(WAITS_FOR_WAKE, futex);
		return 0;
	}
	errno = EAGAIN;
	return -1;
}

/* A futex on a stack is one that is never woken: its wait times out at once. */
long model_syscall(long number, ...)
{
	va_list arguments;
	va_start(arguments, number);
	const void *futex = va_arg(arguments, const void *);
	int operation = va_arg(arguments, int) & FUTEX_CMD_MASK;
	uint32_t value = va_arg(arguments, uint32_t);
	va_end(arguments);
	const void *pc = __builtin_return_address(0);
	memory_settle();
	if (number != SYS_futex) {
		errno = ENOSYS;
		return -1;
	}
	threads_settle();
	if (!shadow_has(futex)) {
		errno = ETIMEDOUT;
		return -1;
	}
	threads_point();
	if (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET)
		return wait_on(futex, value, pc);
	trace_add("futex wake", pc, futex, value, -1);
	return wake(futex, value);
}
