/*
 * check_pages.h - the memory of one context's checks: answers in our own pages, registered with the
 * driver as the markers' are, and sums on the device.
 */
#ifndef CULPRIT_CHECK_CHECK_PAGES_H
#define CULPRIT_CHECK_CHECK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check_format.h"

enum {
	CHECK_PAGE_SLOTS = 512,
	CHECK_MAX_PAGES = 64 /* 80 MiB of host memory and 40 MiB of the device's */
};

/*
 * One check's place for answers. The host reads `answer`, also after the context's end or failure.
 * The GPU knows it by the two addresses.
 */
struct check_slot {
	volatile struct check_answer *answer;
	uint64_t device_answer, device_scratch;
};

/* All zero is empty. The owner's lock guards it. */
struct check_pages {
	size_t n_free; /* slots of the newest page that are not taken yet */
	size_t n_pages;
	struct check_slot next;
};

/* Take `n` slots. False: out of memory, and none is taken. Calls the driver in the context. */
bool check_pages_take(struct check_pages *pages, size_t n, struct check_slot *out);

#endif
