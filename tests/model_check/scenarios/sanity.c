/*
 * sanity.c - well-known small programs, of which it is known what C11 allows. The variants with
 * faults show that the checker finds them.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "model.h"

static uint32_t data;
static uint32_t flag;
static uint32_t other_flag;
static uint32_t seen;
static uint32_t other_seen;
static uint32_t n_early;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Message passing. Variables hold the orders, so that each variant is the same code. */
#define SEND(order) \
	data = 1;   \
	__atomic_store_n(&flag, 1, order)
#define RECEIVE(order)                     \
	if (__atomic_load_n(&flag, order)) \
	MODEL_CHECK(data == 1)

static void send(void)
{
	SEND(__ATOMIC_RELEASE);
}
static void send_relaxed(void)
{
	SEND(__ATOMIC_RELAXED);
}
static void send_by_fence(void)
{
	data = 1;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	__atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
}
static void receive(void)
{
	RECEIVE(__ATOMIC_ACQUIRE);
}
static void receive_relaxed(void)
{
	RECEIVE(__ATOMIC_RELAXED);
}
static void receive_by_fence(void)
{
	if (!__atomic_load_n(&flag, __ATOMIC_RELAXED))
		return;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	MODEL_CHECK(data == 1);
}
/* A relaxed update in between continues the release sequence; a relaxed store ends it. */
static void count(void)
{
	(void)__atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
}
static void receive_counted(void)
{
	if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2)
		MODEL_CHECK(data == 1);
}
static void overwrite(void)
{
	if (__atomic_load_n(&flag, __ATOMIC_RELAXED) == 1)
		__atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
}

/* Store buffering: with sequential consistency, one of the threads sees the other's store. */
#define BUFFER(name, own, others, result, order)              \
	static void name(void)                                \
	{                                                     \
		__atomic_store_n(&own, 1, order);             \
		result = __atomic_load_n(&others, order) + 1; \
	}
BUFFER(buffer_1, flag, other_flag, seen, __ATOMIC_SEQ_CST)
BUFFER(buffer_2, other_flag, flag, other_seen, __ATOMIC_SEQ_CST)
BUFFER(weak_buffer_1, flag, other_flag, seen, __ATOMIC_RELAXED)
BUFFER(weak_buffer_2, other_flag, flag, other_seen, __ATOMIC_RELAXED)
#define FENCED(name, own, others, result)                                \
	static void name(void)                                           \
	{                                                                \
		__atomic_store_n(&own, 1, __ATOMIC_RELAXED);             \
		__atomic_thread_fence(__ATOMIC_SEQ_CST);                 \
		result = __atomic_load_n(&others, __ATOMIC_RELAXED) + 1; \
	}
FENCED(fenced_1, flag, other_flag, seen)
FENCED(fenced_2, other_flag, flag, other_seen)

/* Load buffering: both threads see what the other stores later, unless each keeps the order. */
#define EARLY(name, own, others, load_order, store_order)                               \
	static void name(void)                                                          \
	{                                                                               \
		uint32_t found = __atomic_load_n(&others, load_order);                  \
		__atomic_store_n(&own, 1, store_order);                                 \
		if (found)                                                              \
			(void)__atomic_fetch_add(&n_early, 1, __ATOMIC_RELAXED);        \
		MODEL_CHECK(!found || __atomic_load_n(&n_early, __ATOMIC_RELAXED) < 2); \
	}
EARLY(early_1, flag, other_flag, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
EARLY(early_2, other_flag, flag, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
EARLY(early_acquire, other_flag, flag, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
EARLY(early_release, flag, other_flag, __ATOMIC_RELAXED, __ATOMIC_RELEASE)
/* No value comes from nothing. */
static void repeat_1(void)
{
	__atomic_store_n(&flag, __atomic_load_n(&other_flag, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}
static void repeat_2(void)
{
	uint32_t found = __atomic_load_n(&flag, __ATOMIC_RELAXED);
	__atomic_store_n(&other_flag, found, __ATOMIC_RELAXED);
	MODEL_CHECK(found == 0);
}

static void wake(void)
{
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &flag, FUTEX_WAKE, 1);
}
static void forget_to_wake(void)
{
	__atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
}
static void sleep_until_set(void)
{
	while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
		(void)syscall(SYS_futex, &flag, FUTEX_WAIT, 0, NULL);
}
static void spin_until_set(void)
{
	while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
		model_spin();
}
static void count_locked(void)
{
	pthread_mutex_lock(&lock);
	data++;
	pthread_mutex_unlock(&lock);
}

static void count_unlocked(void)
{
	data++;
}

static const struct {
	const char *name;
	void (*threads[3])(void);
} variants[] = {
	{"message", {send, receive}},
	{"relaxed-store", {send_relaxed, receive}},
	{"relaxed-load", {send, receive_relaxed}},
	{"fences", {send_by_fence, receive_by_fence}},
	{"fence-acquire", {send_by_fence, receive}},
	{"fence-relaxed", {send_by_fence, receive_relaxed}},
	{"sequence", {send, count, receive_counted}},
	{"broken-sequence", {send, overwrite, receive_counted}},
	{"buffer", {buffer_1, buffer_2}},
	{"weak-buffer", {weak_buffer_1, weak_buffer_2}},
	{"half-weak-buffer", {weak_buffer_1, buffer_2}},
	{"fenced-buffer", {fenced_1, fenced_2}},
	{"early", {early_1, early_2}},
	{"half-early", {early_1, early_acquire}},
	{"not-early", {early_release, early_acquire}},
	{"repeat", {repeat_1, repeat_2}},
	{"wake", {wake, sleep_until_set}},
	{"lost-wake", {forget_to_wake, sleep_until_set}},
	{"spin", {forget_to_wake, spin_until_set}},
	{"endless-spin", {spin_until_set}},
	{"mutex", {count_locked, count_locked, count_locked}},
	{"no-mutex", {count_locked, count_unlocked}},
};

void scenario_setup(const char *variant)
{
	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		for (size_t j = 0; strcmp(variants[i].name, variant) == 0 && j < 3; j++)
			if (variants[i].threads[j])
				model_thread(variants[i].threads[j]);
}

void scenario_end(void)
{
	if (seen || other_seen)
		MODEL_CHECK(seen == 2 || other_seen == 2);
}
