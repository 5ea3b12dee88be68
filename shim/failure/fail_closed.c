/*
 * fail_closed.c - complete the bundle, then end the process by SIGABRT.
 */
#include "failure/fail_closed.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/hot.h"
#include "base/time_units.h"
#include "failure/failure.h"
#include "record/driver/coredumps.h"
#include "record/host/cancellation.h"
#include "record/host/clock.h"
#include "record/journal/bundle.h"
#include "record/journal/run_slot.h"
#include "record/journal/sequence.h"

/* Other threads wait so long for the end. A handler of SIGABRT may write a core dump of its own. */
static const uint64_t END_WAIT_NS = 30 * (uint64_t)NS_PER_S;

/* The driver writes a GPU core dump aside, and stops when the process ends. */
static const uint64_t DUMP_WAIT_NS = 10 * (uint64_t)NS_PER_S;

static enum failure_policy policy; /* written at start only, like is_journal_left */
static bool is_journal_left;
static bool has_aborted; /* the discovering thread's alone */

void fail_closed_start(enum failure_policy wanted, bool is_left)
{
	policy = wanted;
	is_journal_left = is_left;
}

static void complete_bundle(void)
{
	int cancellation = cancellation_hold();
	if (coredumps_are_watched())
		coredumps_await(clock_kernel_ns() + DUMP_WAIT_NS);
	(void)run_slot_publish_end(sequence_newest());
	if (!is_journal_left)
		bundle_finish();
	if (policy == ON_FAILURE_KILL)
		run_slot_publish_fatal();
	cancellation_restore(cancellation);
}

static void abort_without_handler(void)
{
	(void)signal(SIGABRT, SIG_DFL);
	abort();
}

/* SIGABRT is blocked while its handler runs. */
static bool is_in_handler(void)
{
	sigset_t blocked;
	return pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && sigismember(&blocked, SIGABRT);
}

static void end_process(void)
{
	if (!has_aborted) {
		has_aborted = true;
		complete_bundle();
		abort();
	}
	if (!is_in_handler())
		abort_without_handler();
}

/* The discovering thread does not end the process if its handler never returns. */
static void await_end(void)
{
	static const uint32_t word = 0;
	int cancellation = cancellation_hold();
	uint64_t end = clock_kernel_ns() + END_WAIT_NS;
	const struct timespec deadline = {.tv_sec = (time_t)(end / NS_PER_S),
					  .tv_nsec = (long)(end % NS_PER_S)};
	while (syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, word, &deadline, NULL,
		       FUTEX_BITSET_MATCH_ANY) == 0 ||
	       errno == EINTR)
		;
	cancellation_restore(cancellation);
	abort_without_handler();
}

static COLD void end(uint32_t tid)
{
	if (tid && failure_discoverer() == tid)
		end_process();
	else
		await_end();
}

void fail_closed(uint32_t tid)
{
	if (policy != ON_FAILURE_REPORT && failure_has_happened())
		end(tid);
}
