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

extern char steps[64]; /* the steps so far, one letter each */
extern size_t n_steps;

extern struct failure_row rows[1]; /* the failure's table, which has room for one row */
extern uint32_t n_rows;

extern CUresult confirmed;  /* set by the test: the driver's answer when it is asked again */
extern CUresult later_code; /* the same, to a later call */
extern bool are_dumps_on, has_no_mappings;

extern unsigned n_warnings, n_given_up;

/* What the test asks to be called before the verdict. */
void act_before_verdict(void);

#endif
