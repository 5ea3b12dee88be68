/*
 * inspect.h - record what chosen kernels read and write. A synchronous inspection waits for the
 * work before the launch, copies, launches, waits and copies again. Other launches get a check on
 * the GPU before and after them, and nothing waits.
 *
 * Its functions replace the driver's own launches in the driver's table. So other launches, and all
 * launches without this setting, cost nothing. It inspects one launch at a time, and none during a
 * capture. After any trouble it stops for good, and launches are made as usual.
 */
#ifndef CULPRIT_INSPECT_INSPECT_H
#define CULPRIT_INSPECT_INSPECT_H

#include <stdbool.h>
#include <stdint.h>

/* The wishes of the user. Kernels are extended regular expressions (kernel_choice.h), "": none. */
struct inspect_wish {
	const char *inspect; /* to be inspected */
	bool is_async;       /* ... by checks on the GPU (check/check.h) */
	const char *nan;     /* to be checked for NaN */
	bool infinities;     /* ... and infinities */
	bool checksums;      /* check all kernels, and record all */
	uint32_t type;       /* enum check_type */
};

/*
 * True if there may be such kernels. Start-up only, when the driver's table is filled. The strings
 * must stay.
 */
bool inspect_start(const struct inspect_wish *wanted);

/*
 * True if kernels of culprit's own will run in the program's streams. The driver's progress
 * counters then count other work than the program's. Any thread.
 */
bool inspect_makes_checks(const struct inspect_wish *wanted);

struct context;

/*
 * Make what checks need in the context, if any are wanted, so that no launch has to: the driver may
 * wait for the GPU when it loads code. Calls the driver: no lock held. Any thread.
 */
void inspect_prepare(struct context *context);

/*
 * Write what checks have found so far, and make no more. At the failure, before its verdict, or at
 * exit. Any thread.
 */
void inspect_finish(void);

#endif
