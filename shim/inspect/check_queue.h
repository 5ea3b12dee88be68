/*
 * check_queue.h - launches whose checks have not finished. Each launch has a check before it and
 * one after it, whose answers arrive when the GPU has run them. Launches whose checks have finished
 * become rows of the table `checks`, in the order of the launches.
 */
#ifndef CULPRIT_INSPECT_CHECK_QUEUE_H
#define CULPRIT_INSPECT_CHECK_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_checks.h"
#include "check/argument_ranges.h"
#include "check/check.h"

/* Why a launch is checked, which says what of it is recorded. */
enum check_wish {
	CHECK_WISH_INSPECT = 1,   /* all arguments, to be printed */
	CHECK_WISH_CHECKSUMS = 2, /* all arguments */
	CHECK_WISH_NAN = 4,       /* all arguments, if one of them has odd values */
};

struct check_entry {
	uint32_t state; /* atomic: of check_queue.c */
	uint32_t wishes;
	uint32_t n_ranges;
	struct check_context *context;
	struct check_slot before, after;
	uint32_t n_before, n_after; /* runs of each that were ever launched */
	struct check_row launch;    /* what the rows of the launch have in common */
	struct argument_range ranges[CHECK_MAX_RANGES];
	struct check_range asked[CHECK_MAX_RANGES];
};

/* Set whether infinities count as odd. Start-up only. */
void check_queue_start(bool infinities);

/*
 * Make the context's queue, unless it is there, so that no launch has to. Calls the driver: no lock
 * held. Any thread.
 */
void check_queue_prepare(struct check_context *context);

/*
 * Take an entry of the context's queue, whose slots are free. NULL: the GPU is too far behind, or
 * memory is short; the launch counts as lost. Calls the driver the first time. Any thread.
 */
struct check_entry *check_queue_take(struct check_context *context);

/* The entry's checks are launched, or (false) it is not used after all. Any thread. */
void check_queue_put(struct check_entry *entry, bool is_launched);

/*
 * Write rows of launches whose checks have finished. At the end (`is_end`) also write launches
 * whose first check alone has finished. Does not call the driver. Any thread; one that comes while
 * another one is writing returns at once.
 */
void check_queue_write(bool is_end);

/* True if the table takes no more rows, or the end is written: checks are of no use then. Any
 * thread. */
bool check_queue_is_done(void);

#endif
