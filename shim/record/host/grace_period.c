/*
 * grace_period.c - the list of threads, and the walk along it.
 *
 * A thread announces that it is coming with a plain store. Other threads see it when it leaves the
 * processor's store buffer, after the thread's older stores. Launches and destroying calls that
 * overlap so closely may come in either order without culprit, too. A destroying thread checks the
 * words last, after work of its own. A fence would cost each launch more than that is worth.
 * membarrier(2) would cost each destroying call 10 us, with an interrupt for every processor that
 * runs a thread of the program. Its registration costs 12 ms and more (two processors, Linux 6.18),
 * and a filter of system calls may kill a process for it.
 */
#include "record/host/grace_period.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#include "arch/arch.h"
#include "record/host/clock.h"

/* More than a thread that has to wait for its processor usually takes. */
static const uint64_t PATIENCE_NS = 5ull * 1000 * 1000;

/* More than a launch takes in the driver, unless the stream's queue is full. */
static const uint64_t LAUNCH_NS = 100ull * 1000;

enum { N_PAUSES = 32 }; /* before the processor is offered to others: about a microsecond */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list's writing; innermost */
static struct grace_reader *list;                        /* atomic */
static uint32_t n_starting;                              /* atomic: threads that have no word yet */

void grace_join(struct grace_reader *reader, uint32_t *coming)
{
	__atomic_store_n(&reader->coming, coming, __ATOMIC_RELAXED);
	pthread_mutex_lock(&lock);
	struct grace_reader *next = list;
	/* A walk that is at this entry, which was in the list before, starts again. */
	__atomic_store_n(&reader->next, next, __ATOMIC_RELEASE);
	reader->link = &list;
	if (next)
		next->link = &reader->next;
	__atomic_store_n(&list, reader, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&lock);
}

/* Its own `next` stays valid for walks that are at this entry. */
void grace_leave(struct grace_reader *reader)
{
	grace_arrive(reader->coming);
	pthread_mutex_lock(&lock);
	struct grace_reader *next = reader->next;
	__atomic_store_n(reader->link, next, __ATOMIC_RELEASE);
	if (next)
		next->link = reader->link;
	pthread_mutex_unlock(&lock);
}

void grace_start(void)
{
	(void)__atomic_fetch_add(&n_starting, 1, __ATOMIC_RELAXED);
}

void grace_started(uint32_t *coming)
{
	if (coming)
		grace_come(coming);
	/* Do nothing if a waiting thread has given up and reset the count. */
	uint32_t n = __atomic_load_n(&n_starting, __ATOMIC_RELAXED);
	while (n && !__atomic_compare_exchange_n(&n_starting, &n, n - 1, false, __ATOMIC_RELEASE,
						 __ATOMIC_RELAXED))
		;
}

/* The patience of one walk. */
struct patience {
	uint64_t end_ns; /* 0 before the first wait */
	uint32_t n_pauses;
};

static bool is_over(struct patience *patience, uint64_t now_ns)
{
	if (!patience->end_ns)
		patience->end_ns = now_ns + PATIENCE_NS;
	return now_ns >= patience->end_ns;
}

static void pause(struct patience *patience)
{
	if (patience->n_pauses++ < N_PAUSES)
		arch_pause();
	else
		(void)sched_yield();
}

/* After the timeout the call was left by a jump, or blocks: reset the word for the thread. */
static void wait_while(uint32_t *coming, uint32_t word, uint64_t patience_ns,
		       struct patience *patience)
{
	uint64_t end_ns = 0;
	while (__atomic_load_n(coming, __ATOMIC_ACQUIRE) == word) {
		uint64_t now_ns = clock_ns();
		if (!end_ns)
			end_ns = now_ns + patience_ns;
		if (is_over(patience, now_ns) || now_ns >= end_ns) {
			(void)__atomic_compare_exchange_n(coming, &word, GRACE_ELSEWHERE, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
			return;
		}
		pause(patience);
	}
}

/* A thread that comes anew meanwhile comes after the destroying call. */
static void wait_for_arrival(uint32_t *coming, struct patience *patience)
{
	wait_while(coming, GRACE_COMING, PATIENCE_NS, patience);
}

static void wait_for_return(uint32_t *coming, struct patience *patience)
{
	wait_for_arrival(coming, patience);
	wait_while(coming, GRACE_LAUNCHES, LAUNCH_NS, patience);
}

/* Threads that have not started by the timeout are not counted any more. */
static void wait_while_starting(struct patience *patience)
{
	uint32_t n = __atomic_load_n(&n_starting, __ATOMIC_ACQUIRE);
	while (n) {
		if (is_over(patience, clock_ns())) {
			(void)__atomic_compare_exchange_n(&n_starting, &n, 0, false,
							  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
			return;
		}
		pause(patience);
		n = __atomic_load_n(&n_starting, __ATOMIC_ACQUIRE);
	}
}

static void wait_for_all(void (*wait_for)(uint32_t *coming, struct patience *patience))
{
	struct patience patience = {0};
	/* First: once the count is 0, every thread that has its word is in the list. */
	wait_while_starting(&patience);
	struct grace_reader *reader = __atomic_load_n(&list, __ATOMIC_ACQUIRE);
	for (; reader; reader = __atomic_load_n(&reader->next, __ATOMIC_ACQUIRE))
		wait_for(__atomic_load_n(&reader->coming, __ATOMIC_RELAXED), &patience);
}

void grace_wait(void)
{
	wait_for_all(wait_for_return);
}

void grace_wait_arrivals(void)
{
	wait_for_all(wait_for_arrival);
}
