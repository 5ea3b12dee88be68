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
	uint32_t what;    /* a REFUSED_ word */
	uint32_t subject; /* the kernel; whose image; the address */
	uint32_t why;     /* with the numbers, and what to do */
	uint32_t rule;    /* its id: "launch.grid_is_zero"; 0: the program recovered from it */
	uint32_t mark;    /* live: low half of the submissions made until it was last refused, plus
			     one; 0: not known */
};
static_assert(sizeof(struct refusal_row) == 48, "refusal_row is part of the format");

/* Values of `what`. Memory has one row, of the newest refused allocation; its `why` is lines. */
#define REFUSED_LAUNCH      "launch"
#define REFUSED_IMAGE       "image"
#define REFUSED_HOST_MEMORY "host memory"
#define REFUSED_MEMORY      "memory"

/* Who tries what works is refused over and over again: no more places than this are looked at. */
enum { REFUSAL_PLACES_MAX = 64, REFUSAL_ROWS_MAX = REFUSAL_PLACES_MAX + 1 };

#endif
