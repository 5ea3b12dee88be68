/*
 * fuzz.c - random call trees in coroutines, left at random by return, longjmp, exception and
 * switch; at random nodes the stack by the incremental walk must be the one by a full walk and the
 * one by another unwinder: libunwind's where it is there, else the compiler's, by backtrace().
 * Return addresses may be signed only for the compiler's. Usage: fuzz CAPTURES [SEED].
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "record/stacks/unwind.h"
#include "record/stacks/unwind_modules.h"
#include "record/stacks/unwind_words.h"
#include "support/check.h"
#include "tree.h"

enum {
	COROUTINES = 4,
	STACK_SIZE = 1 << 20,
	DEEP = 800, /* calls; each is two frames, so that the walk's limit is passed */
	SHALLOW = 24,
};

typedef int (*unwind_function)(void **frames, int size);

struct coroutine {
	ucontext_t context;
	struct region *region;
};

static struct coroutine coroutines[COROUTINES];
static unsigned current;
static ucontext_t back_to_main;
static uint64_t seed = 88172645463325252ull;
static unwind_function reference;
static const char *reference_name;
static struct unwind_state incremental, full;
static struct unwind_work incremental_work, full_work;
static long n_captures, n_joined, n_same, n_wanted, n_incremental_wrong, n_reference_differs, n_cut;
static uint64_t n_known, n_frames, n_missed;

unsigned random_next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (unsigned)(seed >> 11);
}

struct region **innermost_region(void)
{
	return &coroutines[current].region;
}

/*
 * If a stack is cut, the liveness beyond its end is unknown. An rbp that is not live is not kept up
 * to date.
 */
static bool are_equal(const struct unwind_state *one, const struct unwind_state *other)
{
	if (one->n_frames != other->n_frames)
		return false;
	for (uint32_t i = 0; i < one->n_frames; i++) {
		const struct unwind_frame *a = &one->frames[i];
		const struct unwind_frame *b = &other->frames[i];
		if (a->at.ip != b->at.ip || a->at.sp != b->at.sp ||
		    (a->is_live && a->at.fp != b->at.fp) ||
		    (!(one->end & STACK_END_LIMIT) && a->is_live != b->is_live))
			return false;
	}
	return true;
}

/* The addresses innermost first; the 0 at a stack's bottom is no frame of the reference. */
static bool is_as_reference(const struct unwind_state *state)
{
	static void *frames[UNWIND_FRAMES + 16];
	int n = reference(frames, UNWIND_FRAMES + 16);
	uint32_t outermost = state->frames[0].at.ip ? 0 : 1;
	uint32_t n_ours = state->n_frames - outermost;
	void *caller;
	memcpy(&caller, &state->frames[state->n_frames - 1].at.ip, sizeof(caller));
	int first = 0;
	while (first < n && frames[first] != caller)
		first++;
	if (n - first > UNWIND_FRAMES)
		n = first + UNWIND_FRAMES;
	if ((uint32_t)(n - first) != n_ours)
		return false;
	for (uint32_t i = 0; i < n_ours; i++) {
		if ((uintptr_t)frames[first + (int)i] !=
		    state->frames[state->n_frames - 1 - i].at.ip)
			return false;
	}
	return true;
}

/*
 * Check ids like the recorder's, so that an id kept wrongly is detected: each is a hash of the
 * path.
 */
static void check_ids(struct unwind_state *state)
{
	uint32_t id = 0;
	for (uint32_t i = 0; i < state->n_frames; i++) {
		struct unwind_frame *frame = &state->frames[i];
		id = (uint32_t)((id ^ frame->at.ip) * 0x9e3779b97f4a7c15ull >> 20);
		if (i < state->n_known && frame->id != id)
			n_incremental_wrong++;
		frame->id = id;
	}
}

/* Change the word for a moment. Return whether the kept stack then counts as unchanged. */
static bool is_same_without(uint64_t address, const struct unwind_point *caller)
{
	volatile uint64_t *word = (volatile uint64_t *)(uintptr_t)address;
	uint64_t value = *word;
	*word = value ^ 64;
	bool is_same = unwind_is_same(&incremental, caller);
	*word = value;
	return is_same;
}

/* Each word that leads out of a frame must be among those that are compared. */
static void check_words(uint32_t index, const struct unwind_point *caller)
{
	const struct unwind_frame *frame = &incremental.frames[index];
	uint64_t cfa = frame[-1].at.sp;
	uint64_t fp_slot = frame[-1].is_live ? unwind_kept_fp_slot(frame, cfa) : 0;
	uint64_t cfa_slot = frame->at.fp + (uint64_t)frame_cfa_place(frame->saves);
	n_missed += is_same_without(frame_saved_ip(frame->saves, cfa), caller);
	n_missed += fp_slot && is_same_without(fp_slot, caller);
	n_missed += frame->is_realigned && is_same_without(cfa_slot, caller);
}

static void capture(const struct unwind_point *caller)
{
	n_captures++;
	full.n_frames = 0;
	full.n_known = 0;
	unwind_walk(&full, caller);
	bool is_same = unwind_is_same(&incremental, caller);
	unwind_walk(&incremental, caller);
	CHECK(!is_same || incremental.n_joined == incremental.n_frames);
	is_same = unwind_is_same(&incremental, caller);
	n_same += is_same;
	if (is_same && incremental.n_frames > 1)
		check_words(1 + (uint32_t)n_captures % (incremental.n_frames - 1), caller);
	n_known += incremental.n_known;
	n_frames += incremental.n_frames;
	n_cut += incremental.end & STACK_END_LIMIT;
	n_joined += incremental.n_joined > 0;
	check_ids(&incremental);
	if (!are_equal(&incremental, &full))
		n_incremental_wrong++;
	if (!is_as_reference(&full))
		n_reference_differs++;
}

static void switch_to_another(void)
{
	unsigned from = current;
	current = random_next() % COROUTINES;
	if (current != from)
		CHECK_EQUAL(swapcontext(&coroutines[from].context, &coroutines[current].context),
			    0);
}

static void leave_region(struct region *region)
{
	if (region->is_try)
		tree_throw();
	longjmp(region->jump, 1);
}

/* This is built with a frame pointer, as the entry points are. */
int scope(void)
{
	const void *frame = FRAME_HERE();
	struct unwind_point caller = unwind_caller(frame);
	capture(&caller);
	if (n_captures >= n_wanted)
		CHECK_EQUAL(setcontext(&back_to_main), 0);
	if (random_next() % 64 == 0)
		switch_to_another();
	struct region *region = *innermost_region();
	if (region && random_next() % 32 == 0)
		leave_region(region);
	return 1;
}

static void run_coroutine(void)
{
	for (;;) {
		int limit = random_next() % 16 == 0 ? DEEP : SHALLOW;
		tree_set_budget(200 + random_next() % 2000);
		(void)tree_call((int)(random_next() % TREE_FUNCTIONS) << 16 |
				(3 + (int)(random_next() % (unsigned)limit)));
	}
}

/* Start all coroutines except the first, which is the program's own stack. */
static void start_coroutines(void)
{
	for (unsigned i = 1; i < COROUTINES; i++) {
		ucontext_t *context = &coroutines[i].context;
		CHECK_EQUAL(getcontext(context), 0);
		context->uc_stack.ss_sp = malloc(STACK_SIZE);
		context->uc_stack.ss_size = STACK_SIZE;
		CHECK(context->uc_stack.ss_sp != NULL);
		makecontext(context, run_coroutine, 0);
	}
}

static void load_reference(void)
{
	void *library = FRAME_SIGNS ? NULL : dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "unw_backtrace") : NULL;
	reference = backtrace;
	if (symbol)
		memcpy(&reference, &symbol, sizeof(reference));
	reference_name = symbol ? "libunwind" : "the compiler's unwinder";
}

int main(int n_arguments, char **arguments)
{
	CHECK(n_arguments > 1);
	n_wanted = atol(arguments[1]);
	if (n_arguments > 2)
		seed ^= strtoull(arguments[2], NULL, 0);
	unwind_modules_start();
	unwind_memory_start();
	load_reference();
	unwind_forget(&full, UINT64_MAX, &full_work); /* its rules are not shared */
	unwind_forget(&incremental, 1, &incremental_work);
	start_coroutines();
	volatile bool is_over = false;
	CHECK_EQUAL(getcontext(&back_to_main), 0);
	if (!is_over) {
		is_over = true;
		run_coroutine();
	}
	printf("%ld captures, %ld of them cut; incremental wrong %ld; unlike %s's "
	       "%ld; %.1f%% of frames known, %ld joined, %ld the same again\n",
	       n_captures, n_cut, n_incremental_wrong, reference_name, n_reference_differs,
	       100.0 * (double)n_known / (double)n_frames, n_joined, n_same);
	CHECK_EQUAL(n_missed, 0);
	CHECK_EQUAL(n_incremental_wrong, 0);
	CHECK_EQUAL(n_reference_differs, 0);
	CHECK(n_joined > (n_captures - n_cut) / 2);
	CHECK(n_known > n_frames / 4);  /* their ids are not looked up again */
	CHECK(n_same > n_captures / 8); /* on the thread's own stack: one of four */
	CHECK(n_cut > 0);
	return 0;
}
