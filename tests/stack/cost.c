/*
 * cost.c - measure what a stack costs: stack_capture() with its id, against other unwinders, at
 * three depths. "same": the stack is the same as before; "inner": its innermost frames change;
 * "half": its inner half is left and entered by another way. "nothing" is the cost of the calls
 * themselves, to be subtracted.
 * Usage: cost [ROUNDS]; cost METHOD SHAPE DEPTH ROUNDS: one measurement (to count instructions);
 * cost threads N; cost unique N; cost depths ROUNDS: own at depths from 13 to 1,000 frames.
 */
#include "cost_rare.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arch/frame.h"
#include "cost_tools.h"
#include "fake_journal.h"
#include "record/stacks/stack.h"
#include "support/check.h"

enum { INNER = 3, MAX_FRAME_SIZE = 1 << 20 };

typedef int (*unwind_function)(void **frames, int size);
typedef int (*capture_function)(void);

static struct stack_cache *self;
static unwind_function unw_backtrace; /* NULL: not there */

static NOINLINE int nothing(void)
{
	__asm__ volatile("");
	return 0;
}

static NOINLINE int own(void)
{
	return (int)stack_capture(self, FRAME_HERE());
}

/* Capture with all frames walked by their rules, and all ids looked up. */
static NOINLINE int own_anew(void)
{
	for (int i = 0; i < STACK_WAYS; i++) {
		struct unwind_state *way = self->ways[i];
		if (!way)
			continue;
		way->n_frames = way->n_known = 0;
		way->is_certain = false;
	}
	return (int)stack_capture(self, FRAME_HERE());
}

static NOINLINE int by_libunwind(void)
{
	void *frames[UNWIND_FRAMES];
	return unw_backtrace(frames, UNWIND_FRAMES);
}

static NOINLINE int by_glibc(void)
{
	void *frames[UNWIND_FRAMES];
	return backtrace(frames, UNWIND_FRAMES);
}

/* This program has all frame pointers, but the C library, and most other libraries, have none. */
static NOINLINE int by_frame_pointers(void)
{
	uint64_t frames[UNWIND_FRAMES];
	const uint64_t *frame = __builtin_frame_address(0);
	int n = 0;
	while (n < UNWIND_FRAMES) {
		uint64_t next = frame[0];
		frames[n++] = frame[1];
		uint64_t size = next - (uintptr_t)frame;
		if (size == 0 || size > MAX_FRAME_SIZE || next % 8 != 0)
			break;
		memcpy(&frame, &next, sizeof(frame));
	}
	__asm__ volatile("" ::"r"(frames) : "memory");
	return n;
}

static const struct {
	const char *name;
	capture_function capture;
} methods[] = {
	{"nothing", nothing},    {"own", own},
	{"own_anew", own_anew},  {"unw_backtrace", by_libunwind},
	{"backtrace", by_glibc}, {"frame_pointers", by_frame_pointers},
};

enum { N_METHODS = sizeof(methods) / sizeof(methods[0]), N_SHAPES = 3 };
static const char *const shapes[N_SHAPES] = {"same", "inner", "half"};
static const int depths[] = {13, 33, 63};

/* Enter in one of two ways that share no return address. */
static NOINLINE int enter(int n, capture_function capture)
{
	return (n == 0 ? capture() : enter(n - 1, capture)) + 1;
}

static NOINLINE int enter_otherwise(int n, capture_function capture)
{
	return (n == 0 ? capture() : enter_otherwise(n - 1, capture)) - 1;
}

struct job {
	capture_function capture;
	int n_inner; /* frames that are left and entered from turn to turn */
	bool is_changing;
	long n_rounds;
};

static NOINLINE double run(const struct job *job)
{
	double start = now_ns();
	for (long i = 0; i < job->n_rounds; i++) {
		if (job->is_changing && i & 1)
			(void)enter_otherwise(job->n_inner, job->capture);
		else
			(void)enter(job->n_inner, job->capture);
	}
	return (now_ns() - start) / (double)job->n_rounds;
}

/* Run the job after going down to its depth. */
static NOINLINE double run_below(int n, const struct job *job)
{
	double result = n > 0 ? run_below(n - 1, job) : run(job);
	__asm__ volatile("");
	return result;
}

static int n_frames_seen;

static NOINLINE int count_frames(void)
{
	static uint64_t path[UNWIND_FRAMES];
	uint32_t end;
	uint32_t id = stack_capture(self, FRAME_HERE());
	n_frames_seen = (int)fake_journal_path(id, path, UNWIND_FRAMES, &end);
	return 0;
}

/* Return the ns of a capture if the stack has `depth` frames at the innermost point. */
static double measure(int method, int shape, int depth, long n_rounds)
{
	struct job job = {count_frames, shape == 2 ? depth / 2 - 2 : INNER, false, 1};
	(void)run_below(0, &job);
	int n_below = depth - n_frames_seen;
	CHECK(n_below >= 0);
	job = (struct job){methods[method].capture, job.n_inner, shape > 0, n_rounds};
	return run_below(n_below, &job);
}

static bool is_there(int method)
{
	return methods[method].capture != by_libunwind || unw_backtrace;
}

static void measure_all(long n_rounds)
{
	for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
		for (int shape = 0; shape < N_SHAPES; shape++) {
			for (int method = 0; method < N_METHODS; method++) {
				if (!is_there(method))
					continue;
				(void)measure(method, shape, depths[d], n_rounds / 10 + 2);
				printf("%s %s %d %.2f\n", methods[method].name, shapes[shape],
				       depths[d], measure(method, shape, depths[d], n_rounds));
			}
		}
	}
}

/* This shows if one more frame costs much more than the frames before it. */
static void measure_depths(long n_rounds)
{
	static const int steps[] = {13,  20,  32,  64,  96,  120, 126, 130, 160, 200,
				    250, 260, 320, 400, 500, 520, 640, 800, 900, 1000};
	for (size_t d = 0; d < sizeof(steps) / sizeof(steps[0]); d++) {
		for (int shape = 0; shape < N_SHAPES; shape++) {
			(void)measure(1, shape, steps[d], n_rounds / 10 + 2);
			printf("depth %s %d %.2f\n", shapes[shape], steps[d],
			       measure(1, shape, steps[d], n_rounds) -
				       measure(0, shape, steps[d], n_rounds));
		}
	}
}

static int measure_one(char **arguments)
{
	for (int method = 0; method < N_METHODS; method++) {
		for (int shape = 0; shape < N_SHAPES; shape++) {
			if (strcmp(arguments[1], methods[method].name) != 0 ||
			    strcmp(arguments[2], shapes[shape]) != 0 || !is_there(method))
				continue;
			(void)measure(method, shape, atoi(arguments[3]), atol(arguments[4]));
			return 0;
		}
	}
	return 1;
}

static void load_libunwind(void)
{
	void *library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "unw_backtrace") : NULL;
	memcpy(&unw_backtrace, &symbol, sizeof(unw_backtrace));
}

int main(int n_arguments, char **arguments)
{
	stack_start(true);
	CHECK_EQUAL(stack_source(), STACK_OWN);
	load_libunwind();
	self = fresh_cache();
	if (n_arguments == 5)
		return measure_one(arguments);
	if (n_arguments == 3 && strcmp(arguments[1], "threads") == 0)
		cost_threads(atoi(arguments[2]));
	else if (n_arguments == 3 && strcmp(arguments[1], "unique") == 0)
		cost_unique(atol(arguments[2]));
	else if (n_arguments == 3 && strcmp(arguments[1], "depths") == 0)
		measure_depths(atol(arguments[2]));
	else
		measure_all(n_arguments > 1 ? atol(arguments[1]) : 20000);
	return 0;
}
