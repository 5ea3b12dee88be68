/*
 * Unit tests of the lock of one word. Threads that take it without a pause enter one at a time, and
 * all of them do. A wait in vain is reported, and leaves a mark only if the thread slept. A thread
 * that has waited for long is next.
 */
#include "record/host/futex_lock.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/check.h"

enum { THREADS = 4, ROUNDS = 20000, OWNER = 1, OTHER = 2 };
static const uint64_t LONG_NS = 60000000000, SHORT_NS = 1000000;

static struct futex_lock lock;
static pthread_barrier_t start;
static unsigned n_rounds; /* not atomic: under the lock */

static void *take_turns(void *id)
{
	uint32_t owner = (uint32_t)(uintptr_t)id;
	(void)pthread_barrier_wait(&start);
	for (unsigned i = 0; i < ROUNDS; i++) {
		CHECK(futex_lock_try(&lock, owner) || futex_lock_wait(&lock, owner, LONG_NS));
		CHECK_EQUAL(futex_lock_owner(&lock), owner);
		n_rounds++;
		if (i % 64 == 0)
			(void)sched_yield(); /* so that others find it taken */
		futex_lock_release(&lock, owner);
	}
	return NULL;
}

static void test_turns(void)
{
	CHECK(!pthread_barrier_init(&start, NULL, THREADS));
	pthread_t threads[THREADS];
	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, take_turns, (void *)(i + 1)));
	for (unsigned i = 0; i < THREADS; i++)
		CHECK(!pthread_join(threads[i], NULL));
	CHECK_EQUAL(n_rounds, THREADS * ROUNDS);
	CHECK_EQUAL(futex_lock_owner(&lock), 0);
}

static void test_in_vain(void)
{
	struct futex_lock held = {0};
	CHECK(futex_lock_try(&held, OWNER));
	CHECK(!futex_lock_wait(&held, OTHER, 0));
	CHECK_EQUAL(held.state, OWNER);
	CHECK(!futex_lock_wait(&held, OTHER, SHORT_NS));
	CHECK_EQUAL(held.state, (uint32_t)OWNER | FUTEX_LOCK_AWAITED);
	futex_lock_release(&held, OWNER);
	CHECK_EQUAL(held.state, 0);
}

/* A note sends the next thread the long way, whichever thread waited meanwhile. */
static void test_note(void)
{
	struct futex_lock noted = {0};
	CHECK(futex_lock_try(&noted, OWNER));
	futex_lock_note(&noted, true);
	CHECK(!futex_lock_wait(&noted, OTHER, SHORT_NS));
	futex_lock_release(&noted, OWNER);
	CHECK_EQUAL(noted.state, FUTEX_LOCK_NOTED);
	CHECK(!futex_lock_try(&noted, OTHER));
	CHECK(futex_lock_wait(&noted, OTHER, 0));
	futex_lock_note(&noted, false);
	futex_lock_release(&noted, OTHER);
	CHECK(futex_lock_try(&noted, OWNER));
}

static void *wait_for_it(void *unused)
{
	(void)unused;
	CHECK(futex_lock_wait(&lock, OTHER, LONG_NS));
	futex_lock_release(&lock, OTHER);
	return NULL;
}

static void test_claim(void)
{
	enum { CLAIM = FUTEX_LOCK_CLAIMED };
	lock.state = 0;
	CHECK(futex_lock_try(&lock, OWNER));
	pthread_t other = 0;
	CHECK(!pthread_create(&other, NULL, wait_for_it, NULL));
	/*
	 * Act like a thread that releases the lock and takes it again before the other thread runs.
	 */
	while (!(__atomic_load_n(&lock.state, __ATOMIC_RELAXED) & CLAIM))
		(void)syscall(SYS_futex, &lock.state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	CHECK_EQUAL(__atomic_load_n(&lock.state, __ATOMIC_RELAXED),
		    (uint32_t)OWNER | CLAIM | FUTEX_LOCK_AWAITED);
	futex_lock_release(&lock, OWNER);
	CHECK(!pthread_join(other, NULL));
	CHECK_EQUAL(lock.state, 0);
}

/* A claim whose thread does not come, and a claim that is given up. */
static void test_claim_in_vain(void)
{
	struct futex_lock claimed = {.state = FUTEX_LOCK_CLAIMED};
	CHECK(!futex_lock_try(&claimed, OWNER));
	CHECK(futex_lock_wait(&claimed, OWNER, LONG_NS));
	futex_lock_release(&claimed, OWNER);
	CHECK_EQUAL(claimed.state, 0);
	claimed.state = FUTEX_LOCK_CLAIMED;
	CHECK(futex_lock_wait(&claimed, OWNER, 0));
	CHECK_EQUAL(claimed.state, OWNER);
	CHECK(!futex_lock_wait(&claimed, OTHER, 2 * SHORT_NS));
	CHECK_EQUAL(claimed.state, (uint32_t)OWNER | FUTEX_LOCK_AWAITED);
}

int main(void)
{
	test_turns();
	test_in_vain();
	test_note();
	test_claim();
	test_claim_in_vain();
	return 0;
}
