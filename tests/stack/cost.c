/*
 * cost.c - prints what a capture costs at three depths, by our own walk and by unw_backtrace: when
 * the stack is the same again, when its innermost frames change, and when all is unwound anew.
 * Usage: cost [ROUNDS].
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "unwind.h"

#define NOINLINE __attribute__((noinline))

typedef int (*unwind_function)(void **frames, int size);
typedef int (*capture_function)(void);

static struct unwind_state state;
static unwind_function unw_backtrace;
static long n_rounds = 200000;

static NOINLINE int own(void)
{
	const uint64_t *frame = __builtin_frame_address(0);
	struct unwind_point caller = {
		.ip = frame[1], .rsp = (uintptr_t)(frame + 2), .rbp = frame[0]};
	(void)unwind_walk(&state, &caller);
	return (int)state.n_frames;
}

static NOINLINE int own_anew(void)
{
	state.n_frames = 0;
	return own() - 1;
}

static NOINLINE int borrowed(void)
{
	void *frames[UNWIND_FRAMES];
	return unw_backtrace(frames, UNWIND_FRAMES) - 1;
}

static double now_ns(void)
{
	struct timespec now;
	CHECK_EQUAL(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Three frames between the loop and the capture, so that they differ from call to call. */
static NOINLINE int third(capture_function capture)
{
	return capture() + 1;
}

static NOINLINE int second(capture_function capture)
{
	return third(capture) + 1;
}

static NOINLINE int other_second(capture_function capture)
{
	volatile int extra = third(capture);
	return extra + 1;
}

static double measure(capture_function capture, bool is_changing)
{
	double start = now_ns();
	for (long i = 0; i < n_rounds; i++) {
		if (is_changing && i & 1)
			(void)other_second(capture);
		else
			(void)second(capture);
	}
	return (now_ns() - start) / (double)n_rounds;
}

static void print_costs(void)
{
	int n_frames = second(own_anew) - 2;
	printf("%3d frames: own %6.1f ns, inner frames changed %6.1f, anew %6.1f", n_frames,
	       measure(own, false), measure(own, true), measure(own_anew, false));
	if (unw_backtrace)
		printf("; unw_backtrace %6.1f, %6.1f", measure(borrowed, false),
		       measure(borrowed, true));
	putchar('\n');
}

static NOINLINE int descend(int depth)
{
	volatile int left = depth;
	if (depth == 0)
		print_costs();
	else
		left -= descend(depth - 1);
	return left;
}

int main(int n_arguments, char **arguments)
{
	if (n_arguments > 1)
		n_rounds = atol(arguments[1]);
	CHECK(n_rounds > 0);
	if (!unwind_rules_start()) {
		puts("skipped: the loader has no _dl_find_object");
		return 77;
	}
	void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "unw_backtrace") : NULL;
	memcpy(&unw_backtrace, &symbol, sizeof(unw_backtrace));
	unwind_forget(&state, 1);
	(void)descend(5);
	(void)descend(25);
	(void)descend(55);
	return 0;
}
