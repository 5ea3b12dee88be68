/*
 * interrupted.c - stacks of functions that a timer's signal interrupts at any instruction: before a
 * frame is complete, after it is left, in the C library and in the loader. A stack that is found
 * whole must be that of the compiler's unwinder. Usage: interrupted CAPTURES.
 */
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "record/stacks/unwind.h"
#include "record/stacks/unwind_modules.h"
#include "support/check.h"
#include "tree.h"

enum { MAX_FRAMES = UNWIND_FRAMES + 16, INTERVAL_US = 300, DEPTH = 12 };

static uint64_t seed = 88172645463325252ull;
static struct region *region;
static struct unwind_state state;
static struct unwind_work work;
static long n_wanted;
static volatile long n_captures, n_whole, n_frames, n_differ;

unsigned random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 11);
}

struct region **innermost_region(void)
{
	return &region;
}

int scope(void)
{
	return 1;
}

static bool is_as_reference(void *const *frames, uint32_t n)
{
	uint32_t outermost = state.frames[0].at.ip ? 0 : 1;
	if (state.n_frames - outermost != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if ((uintptr_t)frames[i] != state.frames[state.n_frames - 1 - i].at.ip)
			return false;
	}
	return true;
}

/*
 * Compare whole stacks only. A compiler may describe an instruction wrongly, as gcc 12 does where a
 * realigned frame is left; the other unwinder then reads memory that does not exist.
 */
static void compare(const struct unwind_point *caller)
{
	void *frames[MAX_FRAMES];
	int n = backtrace(frames, MAX_FRAMES);
	int first = 0;
	while (first < n && (uintptr_t)frames[first] != caller->ip)
		first++;
	n_whole++;
	n_frames += n - first;
	n_differ += !is_as_reference(frames + first, (uint32_t)(n - first));
}

/* Built with a frame pointer, as the entry points are. */
static __attribute__((noinline)) void capture(void)
{
	struct unwind_point caller = unwind_caller(FRAME_HERE());
	state.n_frames = state.n_known = 0;
	unwind_walk(&state, &caller);
	n_captures++;
	if (state.end == 0)
		compare(&caller);
	__asm__ volatile("");
}

/* Once: a capture may take longer than the interval. */
static void start_timer(void)
{
	struct itimerval timer = {.it_value = {.tv_usec = INTERVAL_US}};
	CHECK_EQUAL(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static void on_signal(int number)
{
	(void)number;
	capture();
	if (n_captures < n_wanted)
		start_timer();
}

int main(int n_arguments, char **arguments)
{
	CHECK_EQUAL(n_arguments, 2);
	n_wanted = atol(arguments[1]);
	void *frames[2];
	(void)backtrace(frames, 2); /* its first call allocates */
	unwind_modules_start();
	unwind_memory_start();
	unwind_forget(&state, UINT64_MAX, &work);
	CHECK(signal(SIGALRM, on_signal) != SIG_ERR);
	start_timer();
	while (n_captures < n_wanted) {
		tree_set_budget(200);
		(void)tree_call((int)(random_next() % TREE_FUNCTIONS) << 16 | DEPTH);
	}
	printf("%ld captures, %ld of them whole, %ld frames; unlike the compiler's unwinder's "
	       "%ld\n",
	       n_captures, n_whole, n_frames, n_differ);
	CHECK_EQUAL(n_differ, 0);
	CHECK(n_whole > n_captures / 10 * 9);
	return 0;
}
