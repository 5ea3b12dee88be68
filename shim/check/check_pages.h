/*
 * check_pages.h - the memory of one context's checks: answers in our own pages, registered with the
 * driver as the markers' are, and sums on the device. The owner's lock guards a struct check_pages.
 */
#ifndef CULPRIT_CHECK_CHECK_PAGES_H
#define CULPRIT_CHECK_CHECK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check_format.h"

enum {
	CHECK_PAGE_SLOTS = 512,
	CHECK_MAX_PAGES = 64 /* 177 MiB of host memory and 73 MiB of the device's */
};

/*
 * One check's place for answers. The host reads `answer`, also after the context's end or failure.
 * The GPU knows it by the two addresses.
 */
struct check_slot {
	volatile struct check_answer *answer;
	uint64_t device_answer, device_scratch;
};

/* All zero is empty. */
struct check_pages {
	size_t n_free; /* slots of the newest page that are not taken yet */
	size_t n_pages;
	struct check_slot next;
};

/*
 * Make a page of CHECK_PAGE_SLOTS slots in the current context. *out is the first one. False:
 * memory is short. Calls the driver: no lock held. Any thread.
 */
bool check_pages_make(struct check_slot *out);

/* True if the pages are fewer than CHECK_MAX_PAGES. */
bool check_pages_may_grow(const struct check_pages *pages);

/* Add a new page. */
void check_pages_add(struct check_pages *pages, const struct check_slot *page);

/* Take `n` slots of the newest page. False: it has fewer. */
bool check_pages_take(struct check_pages *pages, size_t n, struct check_slot *out);

#endif
