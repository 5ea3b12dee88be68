/*
 * test_fail_closed.c - the end of the process after a failure, by which thread, and what is done
 * before. abort() and the recorder are simulated here.
 */
#include "failure/fail_closed.h"

#include <errno.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/time_units.h"
#include "failure/failure.h"
#include "record/driver/coredumps.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/run_slot.h"
#include "record/journal/sequence.h"
#include "support/check.h"

enum { DISCOVERER = 100, OTHER = 101, NEWEST = 7, NOW = 1000, CANCELLATION = 3 };

/* Counts of the last call. */
static struct {
	unsigned n_aborts, n_ends, n_finished, n_fatal, n_defaults, n_awaited, n_held, n_waits;
} did;

static jmp_buf aborted;
static bool has_happened;
static uint32_t discoverer = DISCOVERER;
bool coredumps_watched;
uint64_t sequence_word = NEWEST;

_Noreturn void __wrap_abort(void);
void (*__wrap_signal(int number, void (*handler)(int)))(int);

void __wrap_abort(void)
{
	CHECK_EQUAL(did.n_held, 0);
	did.n_aborts++;
	longjmp(aborted, 1);
}

void (*__wrap_signal(int number, void (*handler)(int)))(int)
{
	CHECK(number == SIGABRT && handler == SIG_DFL);
	did.n_defaults++;
	return SIG_DFL;
}

bool failure_has_happened(void)
{
	return has_happened;
}

uint32_t failure_discoverer(void)
{
	return discoverer;
}

void coredumps_await(uint64_t end_ns)
{
	CHECK(end_ns > 0 && did.n_held == 1);
	did.n_awaited++;
}

uint64_t clock_kernel_ns(void)
{
	return NOW * (uint64_t)NS_PER_S + 1;
}

/* A thread that waits for the end is woken for no reason, by a signal, and at the deadline. */
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	static const int errors[] = {0, EINTR, ETIMEDOUT};
	va_list arguments;
	va_start(arguments, number);
	const uint32_t *word = va_arg(arguments, const uint32_t *);
	int operation = va_arg(arguments, int);
	uint32_t value = va_arg(arguments, uint32_t);
	const struct timespec *deadline = va_arg(arguments, const struct timespec *);
	va_end(arguments);
	CHECK(number == SYS_futex && operation == FUTEX_WAIT_BITSET_PRIVATE && *word == value);
	CHECK(deadline->tv_sec == NOW + 30 && deadline->tv_nsec == 1);
	CHECK(did.n_held == 1 && did.n_waits < 3);
	errno = errors[did.n_waits++];
	return errno ? -1 : 0;
}

bool run_slot_publish_end(uint64_t n_submissions)
{
	CHECK_EQUAL(n_submissions, NEWEST);
	CHECK_EQUAL(did.n_finished, 0);
	did.n_ends++;
	return true;
}

void bundle_finish(void)
{
	did.n_finished++;
}

void run_slot_publish_fatal(void)
{
	did.n_fatal++;
}

int cancellation_hold(void)
{
	did.n_held++;
	return CANCELLATION;
}

void cancellation_restore(int state)
{
	CHECK(state == CANCELLATION && did.n_held == 1);
	did.n_held--;
}

static void call_as(uint32_t tid)
{
	memset(&did, 0, sizeof(did));
	if (setjmp(aborted) == 0)
		fail_closed(tid);
}

/* A process goes on without a failure, or if the user wants a report only. */
static void test_no_end(void)
{
	fail_closed_start(ON_FAILURE_ABORT, false);
	call_as(DISCOVERER);
	CHECK_EQUAL(did.n_aborts + did.n_ends + did.n_finished, 0);
	has_happened = true;
	fail_closed_start(ON_FAILURE_REPORT, false);
	call_as(DISCOVERER);
	CHECK_EQUAL(did.n_aborts + did.n_ends + did.n_finished, 0);
}

/* Other threads wait. Their handlers of SIGABRT are not run, since one may never return. */
static void test_other_threads(void)
{
	static const uint32_t tids[] = {OTHER, 0};
	fail_closed_start(ON_FAILURE_ABORT, false);
	for (int i = 0; i < 2; i++) {
		call_as(tids[i]);
		CHECK(did.n_aborts == 1 && did.n_defaults == 1 && did.n_ends == 0);
		CHECK_EQUAL(did.n_waits, 3);
	}
	/* The discoverer is not known before its bundle is saved, and is no thread without an ID.
	 */
	discoverer = 0;
	call_as(0);
	CHECK(did.n_aborts == 1 && did.n_defaults == 1 && did.n_ends == 0);
	discoverer = DISCOVERER;
}

/* The discoverer completes the bundle once, or leaves it. Calls from its handler return. */
static void test_discoverer(bool is_left)
{
	sigset_t abort_only;
	(void)sigemptyset(&abort_only);
	(void)sigaddset(&abort_only, SIGABRT);
	coredumps_watched = true;
	fail_closed_start(ON_FAILURE_KILL, is_left);
	call_as(DISCOVERER);
	CHECK(did.n_aborts == 1 && did.n_defaults == 0 && did.n_awaited == 1);
	CHECK(did.n_ends == 1 && did.n_finished == !is_left && did.n_fatal == 1);
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &abort_only, NULL), 0);
	call_as(DISCOVERER);
	CHECK_EQUAL(did.n_aborts + did.n_defaults + did.n_ends, 0);
	CHECK_EQUAL(pthread_sigmask(SIG_UNBLOCK, &abort_only, NULL), 0);
	call_as(DISCOVERER); /* its handler has left by a jump */
	CHECK(did.n_aborts == 1 && did.n_defaults == 1 && did.n_ends == 0);
}

/* A process ends once, so each kind is a process of its own. */
int main(int argc, char **argv)
{
	CHECK(argc <= 2);
	test_no_end();
	test_other_threads();
	test_discoverer(argc == 2 && strcmp(argv[1], "left") == 0);
	return 0;
}
