/*
 * failure_stubs.h - the parts of the recorder that shim/failure/failure.c calls, simulated for its
 * test. Each notes its step. One thread.
 */
#ifndef CULPRIT_TESTS_FAILURE_STUBS_H
#define CULPRIT_TESTS_FAILURE_STUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "base/journal_format.h"

struct context;

enum {
	TID = 100,
	STREAM = 4,
	CONTEXT = 2,
	DEVICE = 1,
	GENERATION = 9,
	NEWEST = 70,
	STACK = 5,
	CALL_NAME = 6,
	CANCELLATION = 3,
};

#define CODE  CUDA_ERROR_ILLEGAL_ADDRESS
#define ABOUT ((struct context *)(uintptr_t)0x100)

extern struct failure_stubs {
	char steps[64]; /* so far, one letter each */
	size_t n_steps;
	struct failure_row rows[1]; /* the failure's table, which has room for one row */
	uint32_t n_rows;
	CUresult confirmed;  /* set by the test: the driver's answer when it is asked again */
	CUresult later_code; /* the same, to a later call */
	bool are_dumps_on;   /* set by the test, as the next one */
	bool has_no_mappings;
	unsigned n_warnings;
	unsigned n_given_up;
	uint64_t late_ns; /* added to the time */
} failure_stubs;

/* A function for failure_before_verdict(). */
void act_before_verdict(void);

#endif
