/*
 * test_grace_period.c - a thread that destroys an object waits for threads on their way to it and
 * for launches to return, but never forever. The clock is the test's.
 */
#include "record/host/grace_period.h"

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/host/clock.h"
#include "support/check.h"

static _Atomic uint64_t now_ns, step_ns; /* how much later at each look */
static sem_t has_yielded;
static _Atomic bool is_over;

uint64_t clock_ns(void)
{
	return atomic_fetch_add(&now_ns, atomic_load(&step_ns));
}

int sched_yield(void)
{
	sem_post(&has_yielded);
	return 0;
}

static void *wait_in_thread(void *unused)
{
	(void)unused;
	grace_wait();
	atomic_store(&is_over, true);
	return NULL;
}

/* The thread yields, so it has seen the word's current value since the semaphore was emptied. */
static void await_yield(void)
{
	while (sem_trywait(&has_yielded) == 0)
		;
	for (int i = 0; i < 2; i++)
		sem_wait(&has_yielded);
	CHECK(!atomic_load(&is_over));
}

static void test_waits(void)
{
	struct grace_reader idle = {0};
	struct grace_reader busy = {0};
	struct grace_reader other = {0};
	uint32_t words[3];
	words[0] = words[1] = words[2] = GRACE_ELSEWHERE;
	grace_join(&idle, &words[0]);
	grace_join(&busy, &words[1]);
	grace_join(&other, &words[2]);
	grace_wait();

	grace_come(&words[1]);
	pthread_t thread = 0;
	CHECK_EQUAL(pthread_create(&thread, NULL, wait_in_thread, NULL), 0);
	await_yield();
	grace_launch(&words[1]);
	grace_wait_arrivals();
	await_yield();
	grace_return(&words[1]);
	CHECK_EQUAL(pthread_join(thread, NULL), 0);

	grace_leave(&busy);
	words[1] = GRACE_COMING; /* in no list any more */
	grace_wait();
	CHECK_EQUAL(words[1], GRACE_COMING);
	grace_leave(&idle);
	grace_leave(&other);
}

/* A launch that takes longer is blocked, and is not waited for again. */
static void test_in_vain(void)
{
	static const uint64_t longest_ns[] = {[GRACE_COMING] = 5000000, [GRACE_LAUNCHES] = 100000};
	struct grace_reader reader = {0};
	uint32_t word = GRACE_ELSEWHERE;
	grace_join(&reader, &word);
	atomic_store(&step_ns, 1000);
	for (enum grace_word left = GRACE_COMING; left <= GRACE_LAUNCHES; left++) {
		uint64_t begin_ns = atomic_load(&now_ns);
		word = left;
		grace_wait();
		CHECK_EQUAL(word, GRACE_ELSEWHERE);
		CHECK(atomic_load(&now_ns) - begin_ns >= longest_ns[left]);
		CHECK(atomic_load(&now_ns) - begin_ns < longest_ns[left] + 10000);
	}
	grace_leave(&reader);
}

/* A thread that has no word yet is counted; a thread that never gets one is counted once. */
static void test_starting(void)
{
	struct grace_reader reader = {0};
	uint32_t word = GRACE_ELSEWHERE;
	grace_start();
	grace_started(NULL);
	uint64_t begin_ns = atomic_load(&now_ns);
	grace_wait();
	CHECK_EQUAL(atomic_load(&now_ns), begin_ns);
	grace_start();
	grace_wait();
	CHECK(atomic_load(&now_ns) - begin_ns >= 5000000);
	begin_ns = atomic_load(&now_ns);
	grace_wait();
	CHECK_EQUAL(atomic_load(&now_ns), begin_ns);
	grace_start();
	grace_join(&reader, &word);
	grace_started(&word);
	CHECK_EQUAL(word, GRACE_COMING);
	grace_leave(&reader);
	grace_wait();
	CHECK_EQUAL(atomic_load(&now_ns), begin_ns);
}

int main(void)
{
	CHECK_EQUAL(sem_init(&has_yielded, 0, 0), 0);
	test_waits();
	test_in_vain();
	test_starting();
	return 0;
}
