/*
 * Unit tests of the recorder's concurrent map.
 */
#include <pthread.h>

#include "record/host/handle_map.h"
#include "support/check.h"

enum { N_KEYS = 20000, N_THREADS = 4 };

static struct handle_map map;

/* Handles look like this: aligned, close together. */
static uint64_t key_of(unsigned thread, unsigned n)
{
	return 0x7f0000000000u + ((uint64_t)thread << 32) + (uint64_t)n * 64;
}

static void test_put_get_take(void)
{
	uint64_t value = 0;
	CHECK(!handle_map_get(&map, 64, &value));
	CHECK(handle_map_put(&map, 64, 1));
	CHECK(handle_map_put(&map, 64, 2));
	CHECK(handle_map_get(&map, 64, &value));
	CHECK_EQUAL(value, 2);
	uint64_t other = 3;
	CHECK(handle_map_put_new(&map, 64, &other));
	CHECK_EQUAL(other, 2);
	CHECK(!handle_map_take_own(&map, 64, value + 1));
	CHECK(handle_map_take_own(&map, 64, value) && handle_map_put(&map, 64, value));
	CHECK(handle_map_take(&map, 64, &value));
	CHECK_EQUAL(value, 2);
	CHECK(!handle_map_take(&map, 64, &value));
	CHECK(!handle_map_get(&map, 64, &value));
}

/* Every removal closes its gap: the keys that probed past it must stay reachable. */
static void test_removal_keeps_the_others(void)
{
	for (unsigned n = 0; n < N_KEYS; n++)
		CHECK(handle_map_put(&map, key_of(9, n), n));
	uint64_t value = 0;
	for (unsigned n = 0; n < N_KEYS; n += 3)
		CHECK(handle_map_take(&map, key_of(9, n), &value));
	for (unsigned n = 0; n < N_KEYS; n++) {
		CHECK_EQUAL(handle_map_get(&map, key_of(9, n), &value), n % 3 != 0);
		CHECK(n % 3 == 0 || value == n);
	}
	handle_map_clear(&map, NULL);
	CHECK(!handle_map_get(&map, key_of(9, 1), &value));
}

/* A program that makes and destroys handles for ever must not make the map grow for ever. */
static void test_churn_does_not_grow(void)
{
	uint64_t value = 0;
	for (unsigned n = 0; n < 1000000; n++) {
		CHECK(handle_map_put(&map, key_of(1, n), n));
		CHECK(handle_map_take(&map, key_of(1, n), &value));
	}
	for (unsigned i = 0; i < HANDLE_MAP_SHARDS; i++)
		CHECK(map.shards[i].n_slots <= 1024);
}

static void *use_own_keys(void *data)
{
	unsigned thread = *(unsigned *)data;
	uint64_t value = 0;
	for (unsigned n = 0; n < N_KEYS; n++) {
		CHECK(handle_map_put(&map, key_of(thread, n), n));
		CHECK(handle_map_get(&map, key_of(thread, n / 2), &value) ==
		      (n / 2 % 5 != 0 || n < 2));
		if (n % 5 == 0 && n)
			CHECK(handle_map_take(&map, key_of(thread, n), &value) && value == n);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[N_THREADS];
	unsigned numbers[N_THREADS];
	for (unsigned i = 0; i < N_THREADS; i++) {
		numbers[i] = 10 + i;
		CHECK(pthread_create(&threads[i], NULL, use_own_keys, &numbers[i]) == 0);
	}
	for (unsigned i = 0; i < N_THREADS; i++)
		CHECK(pthread_join(threads[i], NULL) == 0);
	uint64_t value = 0;
	CHECK(handle_map_get(&map, key_of(10, 1), &value));
}

int main(void)
{
	test_put_get_take();
	test_removal_keeps_the_others();
	test_churn_does_not_grow();
	test_threads();
	return 0;
}
