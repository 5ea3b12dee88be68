/*
 * test_cleanup.c - which errors of clean-up calls become success after a failure. The recorder is
 * simulated here.
 */
#include "failure/cleanup.h"

#include "failure/failed_contexts.h"
#include "failure/failure.h"
#include "record/host/clock.h"
#include "record/journal/call_names.h"
#include "record/journal/sequence.h"
#include "record/thread.h"
#include "support/check.h"

enum { TID = 100, NEWEST = 70, NAME = 6, TIME = 9 };

static struct thread thread = {.tid = TID};
static struct journal_record record; /* the newest */
static bool are_sound_here;
static unsigned n_records, n_counted;

uint64_t sequence_word = NEWEST;
uint32_t call_name_ids[N_DRIVER_CALLS];

uint32_t call_name_discover(enum driver_call call)
{
	CHECK_EQUAL(call, CALL_cuMemFree_v2);
	return NAME;
}

uint64_t clock_ns(void)
{
	return TIME;
}

struct journal_record *ring_append(struct ring *ring, const struct journal_record *new_record)
{
	CHECK(ring == &thread.ring);
	record = *new_record;
	n_records++;
	return &record;
}

void failure_count_cleanup(void)
{
	n_counted++;
}

bool failed_contexts_are_sound_here(void)
{
	return are_sound_here;
}

static void check_same(enum driver_call id, CUresult result, bool was_received)
{
	n_records = n_counted = 0;
	CHECK_EQUAL(cleanup_result(&thread, id, result, was_received), result);
	CHECK_EQUAL(n_records + n_counted, 0);
}

static void check_hidden(CUresult result)
{
	n_records = n_counted = 0;
	CHECK_EQUAL(cleanup_result(&thread, CALL_cuMemFree_v2, result, true), CUDA_SUCCESS);
	CHECK(n_records == 1 && n_counted == 1);
	CHECK(record.kind == RECORD_CLEANUP && record.result == (int32_t)result);
	CHECK(record.sequence == NEWEST && record.time_ns == TIME && record.tid == TID);
	CHECK_EQUAL(record.call, NAME);
}

/* Errors of destroyed objects may be mistakes in a context that is sound. */
static const CUresult destroyed[] = {CUDA_ERROR_DEINITIALIZED, CUDA_ERROR_INVALID_CONTEXT,
				     CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_CONTEXT_IS_DESTROYED};

static void test_echoes(bool is_sound)
{
	are_sound_here = is_sound;
	check_hidden(CUDA_ERROR_ILLEGAL_ADDRESS);
	check_same(CALL_cuMemFree_v2, CUDA_ERROR_INVALID_VALUE, true);
	for (size_t i = 0; i < sizeof(destroyed) / sizeof(destroyed[0]); i++) {
		if (is_sound)
			check_same(CALL_cuMemFree_v2, destroyed[i], true);
		else
			check_hidden(destroyed[i]);
	}
}

int main(void)
{
	cleanup_start(CLEANUP_HARMLESS);
	test_echoes(true);
	test_echoes(false);
	/* The program does not know of the failure yet, or the call is no clean-up. */
	check_same(CALL_cuMemFree_v2, CUDA_ERROR_ILLEGAL_ADDRESS, false);
	check_same(CALL_cuLaunchKernel, CUDA_ERROR_ILLEGAL_ADDRESS, true);
	check_same(CALL_cuCtxSynchronize, CUDA_ERROR_ILLEGAL_ADDRESS, true);
	cleanup_start(CLEANUP_REAL);
	check_same(CALL_cuMemFree_v2, CUDA_ERROR_ILLEGAL_ADDRESS, true);
	return 0;
}
