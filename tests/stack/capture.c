/*
 * capture.c - stack_capture() itself, with a journal that is an array: the path of each stack id
 * must be the stack that a full walk finds. Several threads run call trees while another one
 * unloads, and two libraries are loaded in turn at one address.
 *
 * Usage: capture CAPTURES LIBRARY LIBRARY.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake_journal.h"
#include "record/stacks/stack.h"
#include "record/stacks/stack_cache.h"
#include "support/check.h"
#include "tree.h"

enum { THREADS = 3, TURNS = 40, CAPTURES_PER_UNLOAD = 20 };

static long n_wanted;
static bool is_over;          /* atomic */
static long n_taken[THREADS]; /* by each thread, atomic */
static bool is_done[THREADS]; /* atomic */

struct walker {
	struct stack_cache stacks;
	struct unwind_state full;
	struct unwind_work full_work;
	uint64_t seed;
	struct region *region;
	long n_captures;
	int number; /* of the thread */
};
static __thread struct walker *self;

unsigned random_next(void)
{
	self->seed ^= self->seed << 13;
	self->seed ^= self->seed >> 7;
	self->seed ^= self->seed << 17;
	return (unsigned)(self->seed >> 11);
}

struct region **innermost_region(void)
{
	return &self->region;
}

static void check_path(uint32_t id, const struct unwind_state *state)
{
	uint64_t path[UNWIND_FRAMES + 1];
	uint32_t end;
	uint32_t n = fake_journal_path(id, path, UNWIND_FRAMES + 1, &end);
	uint32_t outermost = state->frames[0].at.ip ? 0 : 1;
	CHECK_EQUAL(n, state->n_frames - outermost);
	CHECK_EQUAL(end, state->end);
	for (uint32_t i = 0; i < n; i++)
		CHECK(path[i] == state->frames[state->n_frames - 1 - i].at.ip);
}

int scope(void)
{
	const void *frame = FRAME_HERE();
	struct unwind_point caller = unwind_caller(frame);
	/* The full walk has rules of its own: its generation is after the last shared one. */
	memset(self->full_work.rules, 0, sizeof(self->full_work.rules));
	unwind_forget(&self->full, UINT64_MAX, &self->full_work);
	unwind_walk(&self->full, &caller);
	check_path(stack_capture(&self->stacks, frame), &self->full);
	self->n_captures++;
	__atomic_store_n(&n_taken[self->number], self->n_captures, __ATOMIC_RELAXED);
	return 1;
}

static struct walker *begin_walker(uint64_t seed)
{
	self = aligned_alloc(_Alignof(struct walker), sizeof(*self));
	CHECK(self != NULL);
	memset(self, 0, sizeof(*self));
	self->seed = seed;
	return self;
}

static void *run_trees(void *number)
{
	begin_walker((uintptr_t)number + 12345);
	self->number = (int)(uintptr_t)number;
	while (self->n_captures < n_wanted) {
		tree_set_budget(200);
		(void)tree_call((int)(random_next() % TREE_FUNCTIONS) << 16 |
				(3 + (int)(random_next() % 30)));
	}
	__atomic_store_n(&is_done[self->number], true, __ATOMIC_RELAXED);
	free(self);
	return NULL;
}

/* True if each running thread has taken enough stacks since this last returned true. */
static bool have_all_captured(long *n_before)
{
	long n_now[THREADS];
	for (int i = 0; i < THREADS; i++) {
		n_now[i] = __atomic_load_n(&n_taken[i], __ATOMIC_RELAXED);
		if (n_now[i] - n_before[i] < CAPTURES_PER_UNLOAD &&
		    !__atomic_load_n(&is_done[i], __ATOMIC_RELAXED))
			return false;
	}
	memcpy(n_before, n_now, sizeof(n_now));
	return true;
}

/*
 * Start generations all the time. stack_capture() gives up if modules are unloaded in each of its
 * attempts. Unload one only after captures by each thread, so that at most two unloads hit one
 * capture, however slowly its thread runs.
 */
static void *unload_all_the_time(void *unused)
{
	long n_before[THREADS] = {0};
	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		fake_journal_change_on_unload(have_all_captured(n_before));
		stack_module_unloaded();
		(void)sched_yield();
	}
	return unused;
}

static void test_threads(void)
{
	pthread_t threads[THREADS], unloader;
	n_wanted /= THREADS;
	memset(n_taken, 0, sizeof(n_taken));
	CHECK_EQUAL(pthread_create(&unloader, NULL, unload_all_the_time, NULL), 0);
	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, run_trees, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	CHECK_EQUAL(pthread_join(unloader, NULL), 0);
}

static __attribute__((noinline)) int visit_below(void)
{
	volatile int n = scope();
	return n;
}

/* Make stacks that differ in one return address, with all frames at the same place. */
static __attribute__((noinline)) void turn(int which)
{
#define CALL_AT(number)                         \
	case number:                            \
		(void)visit_below();            \
		__asm__ volatile("# " #number); \
		break
	switch (which) {
		CALL_AT(0);
		CALL_AT(1);
		CALL_AT(2);
		CALL_AT(3);
		CALL_AT(4);
	}
#undef CALL_AT
}

static int count_ways(void)
{
	int n = 0;
	for (int i = 0; i < STACK_WAYS; i++)
		n += self->stacks.ways[i] != NULL;
	return n;
}

/* Stacks that alternate at one place are all kept, up to the size of a set. */
static void test_sets(void)
{
	for (int n_stacks = 1; n_stacks <= STACK_SET + 1; n_stacks++) {
		begin_walker(1);
		for (int i = 0; i < TURNS; i++)
			turn(i % n_stacks);
		CHECK_EQUAL(count_ways(), n_stacks < STACK_SET ? n_stacks : STACK_SET);
		free(self);
	}
}

/* In an order that recurs, each stack is the one that came after the last one the time before. */
static void test_order(void)
{
	begin_walker(1);
	for (int i = 0; i < TURNS; i++) {
		const struct unwind_state *next = self->stacks.next;
		turn(i % STACK_SET);
		CHECK(i <= STACK_SET || self->stacks.last == next);
	}
	/* In another order they are right as well: visit() checks their paths. */
	for (int i = 0; i < TURNS; i++)
		turn(i * i % STACK_SET);
	free(self);
}

/*
 * Call a function of the library, then close the library. Returns the return address into its
 * frame, which shows whether two libraries were at one place. If is_told is false, the unload is
 * not reported, as when a plugin finds dlclose by itself.
 */
static uint64_t call_library(const char *path, bool is_told)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	void *symbol = library ? dlsym(library, "work") : NULL;
	int (*work)(int (*)(void));
	CHECK(symbol != NULL);
	memcpy(&work, &symbol, sizeof(work));
	(void)work(scope);
	uint64_t ip = self->full.frames[self->full.n_frames - 1].at.ip;
	CHECK_EQUAL(dlclose(library), 0);
	if (is_told)
		stack_module_unloaded();
	return ip;
}

/* False under qemu-user, which places each map after the last. */
static bool are_addresses_reused(void)
{
	void *locations[2];
	for (int i = 0; i < 2; i++) {
		locations[i] = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		CHECK(locations[i] != MAP_FAILED);
		CHECK_EQUAL(munmap(locations[i], 4096), 0);
	}
	return locations[0] == locations[1];
}

static void test_unload(const char *one, const char *other)
{
	begin_walker(1);
	int n_same = 0;
	for (int i = 0; i < TURNS; i++)
		n_same += call_library(one, i & 1) == call_library(other, i & 2);
	CHECK(n_same > 0 || !are_addresses_reused());
	free(self);
}

int main(int n_arguments, char **arguments)
{
	CHECK_EQUAL(n_arguments, 4);
	n_wanted = atol(arguments[1]);
	stack_start(true);
	CHECK_EQUAL(stack_source(), STACK_OWN);
	test_sets();
	test_order();
	test_unload(arguments[2], arguments[3]);
	test_threads();
	return 0;
}
