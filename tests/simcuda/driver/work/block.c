/*
 * block.c - run the threads of a block one after the other on the worker's stack. A thread that
 * stops at a barrier keeps its stack, and the threads that have not started continue on a new one
 * (a fiber). A block without barriers never needs a second stack.
 */
#include "work/block.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "failure/failure.h"
#include "failure/fault.h"
#include "objects.h"
#include "sim.h"
#include "work/work.h"

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

#define FIBER_STACK_BYTES ((size_t)128 << 10)

struct fiber {
	struct fiber *next; /* in one of the lists of the block */
	ucontext_t *context;
	struct simcuda_dim thread_index; /* while it is not running */
	unsigned char *stack;            /* NULL: the worker's own */
	void *sanitizer;
};

struct fiber_list {
	struct fiber *first, *last;
};

/*
 * The block of one worker. Every fiber but the running one is in one of the lists, or is home. A
 * context has 4.5 KiB on aarch64 and is elsewhere: a program that opens the driver late has little
 * room left for variables of threads.
 */
struct block {
	struct simcuda_thread *thread;
	const struct simcuda_kernel *kernel;
	void **params;
	size_t n_started, n_threads;
	struct fiber home; /* the worker's own stack */
	struct fiber *running;
	struct fiber_list waiting;  /* at the barrier */
	struct fiber_list released; /* past the barrier, ready to continue */
	struct fiber_list unused;   /* kept for the next block; never home */
};

static _Thread_local struct block block;

static void list_append(struct fiber_list *list, struct fiber *fiber)
{
	fiber->next = NULL;
	if (list->first)
		list->last->next = fiber;
	else
		list->first = fiber;
	list->last = fiber;
}

static struct fiber *list_take(struct fiber_list *list)
{
	struct fiber *fiber = list->first;
	if (fiber)
		list->first = fiber->next;
	return fiber;
}

static void list_take_all(struct fiber_list *to, struct fiber_list *from)
{
	struct fiber *fiber = NULL;
	while ((fiber = list_take(from)))
		list_append(to, fiber);
}

static void set_thread_index(size_t number)
{
	const struct simcuda_dim *size = &block.thread->block_dim;
	block.thread->thread_index = (struct simcuda_dim){
		.x = (unsigned)(number % size->x),
		.y = (unsigned)(number / size->x % size->y),
		.z = (unsigned)(number / size->x / size->y),
	};
}

static void run_unstarted(void)
{
	while (block.n_started < block.n_threads) {
		if (failure_stops(sim_thread.context))
			fault_leave(WORK_CUT_SHORT);
		set_thread_index(block.n_started++);
		block.kernel->invoke(block.thread, block.params);
	}
}

static void switch_to(struct fiber *fiber)
{
	struct fiber *old = block.running;

	old->thread_index = block.thread->thread_index;
	block.running = fiber;
	block.thread->thread_index = fiber->thread_index;
#ifdef __SANITIZE_THREAD__
	__tsan_switch_to_fiber(fiber->sanitizer, 0);
#endif
	swapcontext(old->context, fiber->context);
}

/* Choose the next fiber when all threads have started: the others wait or have finished. */
static struct fiber *next_fiber(void)
{
	if (!block.released.first)
		list_take_all(&block.released, &block.waiting);
	return list_take(&block.released);
}

/* Leave a fiber that has no more threads; the last one returns to the worker's own stack. */
static void leave_fiber(void)
{
	struct fiber *next = next_fiber();
	list_append(&block.unused, block.running);
	switch_to(next ? next : &block.home);
}

static void fiber_main(void)
{
	for (;;) {
		run_unstarted();
		leave_fiber();
	}
}

static struct fiber *create_fiber(void)
{
	struct fiber *fiber = sim_alloc(sizeof(*fiber));
	unsigned char *area = mmap(NULL, FAULT_STACK_GUARD_BYTES + FIBER_STACK_BYTES, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED || mprotect(area + FAULT_STACK_GUARD_BYTES, FIBER_STACK_BYTES,
					   PROT_READ | PROT_WRITE) != 0)
		abort();
	fiber->stack = area + FAULT_STACK_GUARD_BYTES;
	fiber->context = sim_alloc(sizeof(*fiber->context));
	return fiber;
}

static struct fiber *start_fiber(void)
{
	struct fiber *fiber = list_take(&block.unused);

	if (!block.home.context)
		block.home.context = sim_alloc(sizeof(*block.home.context));
	if (!fiber)
		fiber = create_fiber();
#ifdef __SANITIZE_THREAD__
	if (!fiber->sanitizer)
		fiber->sanitizer = __tsan_create_fiber(0);
#endif
	getcontext(fiber->context);
	fiber->context->uc_stack.ss_sp = fiber->stack;
	fiber->context->uc_stack.ss_size = FIBER_STACK_BYTES;
	makecontext(fiber->context, fiber_main, 0);
	return fiber;
}

void block_sync_threads(void)
{
	struct fiber *self = block.running;
	list_append(&block.waiting, self);
	struct fiber *next = block.n_started < block.n_threads ? start_fiber() : next_fiber();
	if (next == self)
		return;
	switch_to(next);
}

/* Finish threads that wait at barriers on other stacks, after this stack has started all others. */
static void finish_others(void)
{
	struct fiber *next = next_fiber();
	if (next)
		switch_to(next);
}

void block_run(struct simcuda_thread *thread, const struct simcuda_kernel *kernel, void **params)
{
	block.thread = thread;
	block.kernel = kernel;
	block.params = params;
	block.n_started = 0;
	block.n_threads = (size_t)thread->block_dim.x * thread->block_dim.y * thread->block_dim.z;
	block.running = &block.home;
#ifdef __SANITIZE_THREAD__
	block.home.sanitizer = __tsan_get_current_fiber();
#endif
	run_unstarted();
	finish_others();
}

void block_abandon(void)
{
	if (block.running)
		list_append(&block.waiting, block.running);
	list_take_all(&block.waiting, &block.released);
	struct fiber *fiber = NULL;
	while ((fiber = list_take(&block.waiting)))
		if (fiber != &block.home)
			list_append(&block.unused, fiber);
	block.running = NULL;
}
