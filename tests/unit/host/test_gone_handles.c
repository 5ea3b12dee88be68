/*
 * test_gone_handles.c - which handles are known to be destroyed.
 */
#include "record/host/gone_handles.h"

#include "base/hash.h"
#include "record/host/clock.h"
#include "support/check.h"

enum { N_SETS = MAX_GONE_HANDLES / GONE_HANDLES_SET };

static const uint64_t SECOND = 1000000000;

static struct gone_handles gone;
static uint64_t time_ns;

uint64_t clock_ns(void)
{
	return time_ns;
}

/* Find handles that share a set. */
static void find_together(uint64_t *handles, uint32_t n)
{
	uint32_t n_found = 0;
	for (uint64_t handle = 0x1000; n_found < n; handle += 0x10) {
		if ((uint32_t)(hash_word(handle) >> 32) % N_SETS == 5)
			handles[n_found++] = handle;
	}
}

/* As many are kept as a set holds. Then the one that went first is replaced. */
static void test_handles_that_share_a_set(void)
{
	uint64_t handles[GONE_HANDLES_SET + 2];
	find_together(handles, GONE_HANDLES_SET + 2);
	for (uint32_t i = 0; i < GONE_HANDLES_SET; i++) {
		time_ns++;
		gone_handles_add(&gone, handles[i]);
	}
	for (uint32_t i = 0; i < GONE_HANDLES_SET; i++)
		CHECK(gone_handles_has(&gone, handles[i]));
	time_ns++;
	gone_handles_add(&gone, handles[0]); /* again */
	time_ns++;
	gone_handles_add(&gone, handles[GONE_HANDLES_SET]);
	for (uint32_t i = 0; i <= GONE_HANDLES_SET; i++)
		CHECK_EQUAL(gone_handles_has(&gone, handles[i]), i != 1);
	gone_handles_remove(&gone, handles[4]);
	CHECK(!gone_handles_has(&gone, handles[4]));
	gone_handles_add(&gone, handles[GONE_HANDLES_SET + 1]); /* in the free place */
	for (uint32_t i = 0; i < GONE_HANDLES_SET + 2; i++)
		CHECK_EQUAL(gone_handles_has(&gone, handles[i]), i != 1 && i != 4);
	gone_handles_remove(&gone, handles[1]); /* not there */
	CHECK(gone_handles_has(&gone, handles[0]));
}

static void test_a_handle_is_known_for_a_second(void)
{
	gone = (struct gone_handles){0};
	time_ns = 5 * SECOND;
	gone_handles_add(&gone, 0x70);
	time_ns += SECOND - 1;
	CHECK(gone_handles_has(&gone, 0x70));
	time_ns++;
	CHECK(!gone_handles_has(&gone, 0x70));
	gone_handles_add(&gone, 0x70);
	CHECK(gone_handles_has(&gone, 0x70));
	gone_handles_remove(&gone, 0x70);
	CHECK(!gone_handles_has(&gone, 0x70));
}

int main(void)
{
	test_handles_that_share_a_set();
	test_a_handle_is_known_for_a_second();
	return 0;
}
