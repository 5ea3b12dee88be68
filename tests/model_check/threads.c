/*
 * threads.c - the program's threads, and which of them runs.
 */
#include "threads.h"

#include <string.h>

#include "choices.h"
#include "memory.h"
#include "model.h"
#include "trace.h"
#include "views.h"

struct lock *threads_lock(const void *address)
{
	for (uint32_t i = 0; i < checker->n_locks; i++)
		if (checker->locks[i].address == address)
			return &checker->locks[i];
	if (checker->n_locks == MAX_LOCKS)
		trace_fail("limit", "there are too many locks");
	struct lock *lock = &checker->locks[checker->n_locks++];
	*lock = (struct lock){.address = address};
	return lock;
}

static bool can_run(const struct thread *thread)
{
	switch (thread->wait) {
	case RUNNING:
		return true;
	case WAITS_FOR_LOCK:
		return !threads_lock(thread->waits_on)->is_held;
	case WAITS_FOR_STORE:
		return memory_has_newer(thread);
	case WAITS_FOR_FUTURE:
		return !thread->has_future;
	default:
		return false;
	}
}

static void switch_to(uint32_t next)
{
	struct thread *from = current();
	if (next == checker->thread)
		return;
	checker->thread = next;
	swapcontext(&from->context, &checker->threads[next].context);
}

/* Choose among the threads that can run; the current one comes first. Return false if none can. */
static bool choose_thread(bool may_preempt, uint32_t *out)
{
	uint32_t found[MAX_THREADS];
	uint32_t n = 0;
	for (uint32_t i = 0; i < checker->n_threads; i++) {
		uint32_t number = (checker->thread + i) % checker->n_threads;
		if (number > 0 && can_run(&checker->threads[number]) && (n == 0 || may_preempt))
			found[n++] = number;
	}
	*out = n > 0 ? found[choices_pick(n)] : 0;
	return n > 0;
}

void threads_point(void)
{
	struct thread *thread = current();
	if (!thread->has_acted)
		return;
	uint32_t next = checker->thread;
	thread->has_acted = false;
	(void)choose_thread(checker->n_preemptions < checker->max_preemptions, &next);
	checker->n_preemptions += next != checker->thread;
	switch_to(next);
}

static const char *const waits[] = {"runs",
				    "waits for a lock",
				    "waits for a wake-up",
				    "waits for a store",
				    "waits for what it has read",
				    "has finished"};

_Noreturn void threads_abandon(void)
{
	checker->is_abandoned = true;
	checker->thread = 0;
	setcontext(&checker->scheduler);
	__builtin_unreachable();
}

/* A thread that waits for the store of what it has read need not find it. */
static _Noreturn void fail_deadlock(void)
{
	for (uint32_t i = 1; i < checker->n_threads; i++)
		if (checker->threads[i].has_future)
			threads_abandon();
	char text[256] = "";
	for (uint32_t i = 1; i < checker->n_threads; i++) {
		strcat(text, i > 1 ? ", " : "");
		strcat(text, waits[checker->threads[i].wait]);
	}
	trace_fail("deadlock", "no thread can run: %s", text);
}

void threads_block(enum wait wait, const void *waits_on)
{
	struct thread *thread = current();
	uint32_t next = 0;
	thread->wait = wait;
	thread->waits_on = waits_on;
	thread->turn = checker->n_turns++;
	if (!choose_thread(true, &next))
		fail_deadlock();
	switch_to(next);
	thread->wait = RUNNING;
	thread->has_acted = false;
}

void threads_settle(void)
{
	struct thread *thread = current();
	if (!thread->has_future)
		return;
	/* Without a store since, the load might as well take place later. */
	if (!thread->has_stored)
		threads_abandon();
	threads_block(WAITS_FOR_FUTURE, NULL);
}

/* True once all threads have finished that must. */
static bool are_all_finished(void)
{
	for (uint32_t i = 1; i < checker->n_threads; i++)
		if (checker->threads[i].wait != FINISHED && !checker->threads[i].is_server)
			return false;
	return true;
}

static void run_one(void)
{
	struct thread *thread = current();
	thread->run();
	memory_settle();
	threads_settle();
	thread->wait = FINISHED;
	trace_add("end", NULL, NULL, 0, -1);
	uint32_t next = 0;
	if (are_all_finished())
		setcontext(&checker->scheduler);
	if (!choose_thread(true, &next))
		fail_deadlock();
	checker->thread = next;
	setcontext(&checker->threads[next].context);
}

void model_thread(void (*run)(void))
{
	if (checker->n_threads == MAX_THREADS)
		trace_fail("limit", "there are too many threads");
	checker->threads[checker->n_threads++].run = run;
}

void model_server(void (*run)(void))
{
	model_thread(run);
	checker->threads[checker->n_threads - 1].is_server = true;
}

static void start(uint32_t number)
{
	struct thread *thread = &checker->threads[number];
	getcontext(&thread->context);
	thread->context.uc_stack.ss_sp = checker->stacks + (size_t)number * STACK_SIZE;
	thread->context.uc_stack.ss_size = STACK_SIZE;
	makecontext(&thread->context, run_one, 0);
	thread->now = checker->threads[0].now;
	thread->acquired = thread->now;
	thread->now.clock[number] = 1;
}

void threads_run(void)
{
	for (uint32_t i = 1; i < checker->n_threads; i++)
		start(i);
	checker->threads[0].now.clock[0]++;
	uint32_t first = 0;
	if (checker->n_threads == 1 || !choose_thread(true, &first))
		return;
	checker->thread = first;
	swapcontext(&checker->scheduler, &checker->threads[first].context);
	checker->thread = 0;
	for (uint32_t i = 1; i < checker->n_threads; i++)
		views_join(&checker->threads[0].now, &checker->threads[i].now);
}
