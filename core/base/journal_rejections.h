/*
 * journal_rejections.h - calls that the driver rejected. Each location and result has one row,
 * about the first call there that culprit explained. Part of journal_format.h.
 */
#ifndef CULPRIT_BASE_JOURNAL_REJECTIONS_H
#define CULPRIT_BASE_JOURNAL_REJECTIONS_H

#include <assert.h>
#include <stdint.h>

struct rejection_row {
	uint64_t time_ns; /* CLOCK_MONOTONIC of the first rejection */
	uint64_t count;   /* live: calls rejected there with this result, for any reason */
	uint32_t stack;
	int32_t result;   /* CUresult */
	uint32_t call;    /* this and the following, up to `rule`, are strings */
	uint32_t what;    /* a REFUSED_ word */
	uint32_t subject; /* the kernel, the image's owner or the address */
	uint32_t why;     /* reason with numbers, and what to do */
	uint32_t rule; /* id of the broken rule: "launch.grid_is_zero"; 0: the program recovered */
	uint32_t mark; /* live: low half of the number of submissions before the newest rejection,
			  plus one; 0: not known */
};
static_assert(sizeof(struct rejection_row) == 48, "refusal_row is part of the format");

/*
 * Values of `what`. Memory has only one row, for the newest rejected allocation; its `why` has
 * several lines.
 */
#define REJECTED_LAUNCH      "launch"
#define REJECTED_IMAGE       "image"
#define REJECTED_HOST_MEMORY "host memory"
#define REJECTED_MEMORY      "memory"

/* A program that probes what works is rejected very often, so only this many locations count. */
enum { REJECTION_LOCATIONS_MAX = 64, REJECTION_ROWS_MAX = REJECTION_LOCATIONS_MAX + 1 };

#endif
