/*
 * Unit tests of work that is done aside. No wait ends before the process for the work exists. Work
 * that comes while other work is late is kept, the newest only, and done by the same process, even
 * if the host has exited.
 */
#include "record/host/aside.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/check.h"

/* False if a thread does the work: under a sanitizer, and under qemu-user, which makes no such
 * process. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
static bool has_process;
#else
static bool has_process = true;
#endif

enum { HELD_MS = 100 };
static const uint64_t LONG_NS = 60000000000;

/* Shared with the host that exits, and with the processes aside. */
static struct {
	sem_t go, left; /* the late work may return; all work of the host's has returned */
	unsigned n_late, n_first, n_second;
} * shared;

static sem_t is_back; /* aside_do() has returned */
static bool is_held;  /* clone() waits for that, but not for long. Atomic */
static bool was_made; /* Atomic */

/* In front of the C library's, for aside.c. */
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
	int (*real)(int (*)(void *), void *, int, void *, ...) = NULL;
	void *address = dlsym(RTLD_NEXT, "clone");
	memcpy(&real, &address, sizeof(real));
	va_list rest;
	va_start(rest, argument);
	pid_t *parent_number = va_arg(rest, pid_t *);
	void *thread_memory = va_arg(rest, void *);
	pid_t *child_number = va_arg(rest, pid_t *);
	va_end(rest);
	if (__atomic_load_n(&is_held, __ATOMIC_RELAXED)) {
		struct timespec end;
		CHECK(!clock_gettime(CLOCK_REALTIME, &end));
		end.tv_nsec += HELD_MS * 1000000;
		end.tv_sec += end.tv_nsec / 1000000000;
		end.tv_nsec %= 1000000000;
		(void)sem_timedwait(&is_back, &end);
	}
	int number =
		real(function, stack, flags, argument, parent_number, thread_memory, child_number);
	CHECK(number > 0 || errno == EINVAL);
	if (number < 0)
		has_process = false; /* read after the work that this thread then does */
	__atomic_store_n(&was_made, true, __ATOMIC_RELEASE);
	return number;
}

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore) != 0)
		CHECK_EQUAL(errno, EINTR);
}

static void work_late(void)
{
	wait_for(&shared->go);
	shared->n_late++;
}

static void work_first(void)
{
	shared->n_first++;
}

static void work_second(void)
{
	shared->n_second++;
	(void)sem_post(&shared->left);
}

static void test_in_time(void)
{
	CHECK_EQUAL(aside_do(work_first, LONG_NS), 0);
	CHECK_EQUAL(shared->n_first, 1);
	CHECK(!aside_is_busy());
}

static void test_made(void)
{
	__atomic_store_n(&is_held, true, __ATOMIC_RELAXED);
	__atomic_store_n(&was_made, false, __ATOMIC_RELAXED);
	(void)aside_do(work_first, 0);
	CHECK(__atomic_load_n(&was_made, __ATOMIC_ACQUIRE));
	(void)sem_post(&is_back);
	__atomic_store_n(&is_held, false, __ATOMIC_RELAXED);
	CHECK_EQUAL(aside_do(work_first, LONG_NS), 0);
	CHECK_EQUAL(shared->n_first, 3);
}

static void leave_late_work(void)
{
	CHECK_EQUAL(aside_do(work_late, 0), -ETIMEDOUT);
	CHECK(aside_is_busy());
	CHECK_EQUAL(aside_do(work_first, 0), -ETIMEDOUT);
	CHECK_EQUAL(aside_do(work_second, 0), -ETIMEDOUT);
}

static void test_kept(unsigned n_first)
{
	leave_late_work();
	(void)sem_post(&shared->go);
	wait_for(&shared->left);
	CHECK_EQUAL(aside_do(work_first, LONG_NS), 0);
	CHECK_EQUAL(shared->n_late, 1);
	CHECK_EQUAL(shared->n_first, n_first);
	CHECK_EQUAL(shared->n_second, 1);
}

static void test_exit(void)
{
	pid_t host = fork();
	if (host == 0) {
		leave_late_work();
		_exit(0);
	}
	int status = 0;
	CHECK_EQUAL(waitpid(host, &status, 0), host);
	CHECK_EQUAL(status, 0);
	(void)sem_post(&shared->go);
	wait_for(&shared->left);
	CHECK_EQUAL(shared->n_late, 2);
	CHECK_EQUAL(shared->n_first, 4);
	CHECK_EQUAL(shared->n_second, 2);
}

int main(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	CHECK(shared != MAP_FAILED);
	CHECK(!sem_init(&shared->go, 1, 0) && !sem_init(&shared->left, 1, 0));
	CHECK(!sem_init(&is_back, 0, 0));
	aside_start();
	test_in_time();
	if (has_process)
		test_made();
	test_kept(has_process ? 4 : 2);
	if (has_process)
		test_exit();
	return 0;
}
