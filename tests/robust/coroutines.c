/*
 * coroutines.c - a host whose code runs on stacks of its own: small stacks that are unmapped when
 * their coroutine finishes, move from thread to thread, and share addresses with other stacks.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "host.h"
#include "scenarios.h"

enum { STACK_BYTES = 32 * 1024, N_COROUTINES = 300, N_STEPS = 6, N_THREADS = 4 };

/* One thread at a time resumes a coroutine; its next pause returns to `host`. */
struct coroutine {
	ucontext_t self, host;
	char *pages; /* the stack, between two inaccessible pages */
	int depth;
	atomic_bool is_over;
};

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Launch at each level on the way down, pause at the bottom, and launch on the way up. */
static __attribute__((noinline)) void descend(struct coroutine *coroutine, int depth)
{
	NEED(host_fill(NULL));
	if (depth > 0)
		descend(coroutine, depth - 1);
	else
		swapcontext(&coroutine->self, &coroutine->host);
	NEED(host_fill(NULL));
}

/* makecontext passes int arguments only. */
static void run(unsigned low, unsigned high)
{
	struct coroutine *coroutine = (struct coroutine *)((uintptr_t)high << 32 | low);

	for (int i = 0; i < N_STEPS; i++)
		descend(coroutine, (coroutine->depth + i) % 7);
	atomic_store(&coroutine->is_over, true);
	swapcontext(&coroutine->self, &coroutine->host);
}

static void begin(struct coroutine *coroutine, int depth)
{
	size_t guard = page_bytes();
	uintptr_t address = (uintptr_t)coroutine;

	coroutine->depth = depth;
	atomic_store(&coroutine->is_over, false);
	coroutine->pages = mmap(NULL, STACK_BYTES + 2 * guard, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	NEED_TRUE(coroutine->pages != MAP_FAILED);
	NEED_TRUE(mprotect(coroutine->pages + guard, STACK_BYTES, PROT_READ | PROT_WRITE) == 0);
	NEED_TRUE(getcontext(&coroutine->self) == 0);
	coroutine->self.uc_stack.ss_sp = coroutine->pages + guard;
	coroutine->self.uc_stack.ss_size = STACK_BYTES;
	makecontext(&coroutine->self, (void (*)(void))run, 2, (unsigned)address,
		    (unsigned)(address >> 32));
}

static void end(struct coroutine *coroutine)
{
	NEED_TRUE(munmap(coroutine->pages, STACK_BYTES + 2 * page_bytes()) == 0);
}

static struct coroutine coroutines[N_THREADS * 2];

static void resume(struct coroutine *coroutine)
{
	NEED_TRUE(swapcontext(&coroutine->host, &coroutine->self) == 0);
}

/* Resume two coroutines in turns, so that their frames replace each other's in the records. */
static void resume_in_turns(unsigned index)
{
	struct coroutine *pair = &coroutines[2 * index];

	for (int i = 0; i < N_COROUTINES / N_THREADS; i++) {
		begin(&pair[0], i);
		begin(&pair[1], i + 3);
		while (!atomic_load(&pair[0].is_over) || !atomic_load(&pair[1].is_over)) {
			for (int n = 0; n < 2; n++) {
				if (!atomic_load(&pair[n].is_over))
					resume(&pair[n]);
			}
			NEED(host_fill(NULL));
		}
		end(&pair[0]);
		end(&pair[1]);
	}
}

static void resume_once(unsigned index)
{
	(void)index;
	resume(&coroutines[0]);
}

/* Start a coroutine in one thread and resume it in others; each thread exits after that. */
static void hand_around(void)
{
	begin(&coroutines[0], 5);
	while (!atomic_load(&coroutines[0].is_over))
		host_threads(1, 0, resume_once);
	end(&coroutines[0]);
}

int launches_in_coroutines(void)
{
	host_open();
	host_threads(N_THREADS, 0, resume_in_turns);
	for (int i = 0; i < 20; i++)
		hand_around();
	NEED(cuCtxSynchronize());
	return host_fail();
}
