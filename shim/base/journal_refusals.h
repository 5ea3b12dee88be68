/*
 * journal_refusals.h - calls that the driver refused: a row for each place and result, on the first
 * call there that was explained. Part of journal_format.h.
 */
#ifndef CULPRIT_BASE_JOURNAL_REFUSALS_H
#define CULPRIT_BASE_JOURNAL_REFUSALS_H

#include <assert.h>
#include <stdint.h>

struct refusal_row {
	uint64_t time_ns; /* CLOCK_MONOTONIC, of the first time */
	uint64_t count;   /* live: calls refused there with this result, whatever the reason */
	uint32_t stack;
	int32_t result;   /* CUresult */
	uint32_t call;    /* string, as the rest */
	uint32_t what;    /* "launch", "image", "host memory" */
	uint32_t subject; /* the kernel; whose image; the address */
	uint32_t why;     /* with the numbers, and what to do */
	uint32_t rule;    /* its id: "launch.grid_is_zero" */
	uint32_t reserved;
};
static_assert(sizeof(struct refusal_row) == 48, "refusal_row is part of the format");

/* Who tries what works is refused over and over again: no more places than this are looked at. */
enum { REFUSAL_ROWS_MAX = 64 };

#endif
