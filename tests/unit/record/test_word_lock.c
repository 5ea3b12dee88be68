/*
 * Unit tests of the lock of one word: threads that take it without a pause come in one at a time,
 * and all of them do; who waits in vain says so, and leaves a mark only where it has slept.
 */
#include "record/host/word_lock.h"

#include <pthread.h>
#include <sched.h>

#include "support/check.h"

enum { THREADS = 4, ROUNDS = 20000, OWNER = 1, OTHER = 2 };
static const uint64_t LONG_NS = 60000000000, SHORT_NS = 1000000;

static struct word_lock lock;
static pthread_barrier_t start;
static unsigned n_rounds; /* not atomic: under the lock */

static void *take_turns(void *id)
{
	uint32_t owner = (uint32_t)(uintptr_t)id;
	(void)pthread_barrier_wait(&start);
	for (unsigned i = 0; i < ROUNDS; i++) {
		CHECK(word_lock_try(&lock, owner) || word_lock_wait(&lock, owner, LONG_NS));
		CHECK_EQUAL(word_lock_owner(&lock), owner);
		n_rounds++;
		if (i % 64 == 0)
			(void)sched_yield(); /* so that others find it taken */
		word_lock_release(&lock, owner);
	}
	return NULL;
}

static void test_turns(void)
{
	pthread_t threads[THREADS];
	CHECK(!pthread_barrier_init(&start, NULL, THREADS));
	for (uintptr_t i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, take_turns, (void *)(i + 1)));
	for (unsigned i = 0; i < THREADS; i++)
		CHECK(!pthread_join(threads[i], NULL));
	CHECK_EQUAL(n_rounds, THREADS * ROUNDS);
	CHECK_EQUAL(word_lock_owner(&lock), 0);
}

static void test_in_vain(void)
{
	struct word_lock held = {0};
	CHECK(word_lock_try(&held, OWNER));
	CHECK(!word_lock_wait(&held, OTHER, 0));
	CHECK_EQUAL(held.state, OWNER);
	CHECK(!word_lock_wait(&held, OTHER, SHORT_NS));
	CHECK_EQUAL(held.state, (uint32_t)OWNER | WORD_LOCK_AWAITED);
	word_lock_release(&held, OWNER);
	CHECK_EQUAL(held.state, 0);
}

/* A note sends who comes next the long way, whoever has waited meanwhile. */
static void test_note(void)
{
	struct word_lock noted = {0};
	CHECK(word_lock_try(&noted, OWNER));
	word_lock_note(&noted, true);
	CHECK(!word_lock_wait(&noted, OTHER, SHORT_NS));
	word_lock_release(&noted, OWNER);
	CHECK_EQUAL(noted.state, WORD_LOCK_NOTED);
	CHECK(!word_lock_try(&noted, OTHER));
	CHECK(word_lock_wait(&noted, OTHER, 0));
	word_lock_note(&noted, false);
	word_lock_release(&noted, OTHER);
	CHECK(word_lock_try(&noted, OWNER));
}

int main(void)
{
	test_turns();
	test_in_vain();
	test_note();
	return 0;
}
