/*
 * address_sum.h - an address as the sum of a pointer and a multiple of a number, both among the
 * arguments of a launch: what `data[index]` accesses if `index` is an argument. Pure. Any thread.
 */
#ifndef CULPRIT_FAULT_ADDRESS_SUM_H
#define CULPRIT_FAULT_ADDRESS_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/bundle_view.h"

/* The address is `pointer + product`, and the product is `factor * scale`, with wrap-around. */
struct address_sum {
	uint32_t pointer_at, factor_at; /* offsets in the parameter buffer */
	uint64_t pointer;
	int64_t factor;
	uint32_t scale; /* 1, 2, 4, 8 or 16 */
	int64_t product;
	bool is_known; /* the pointer is into memory in the journal */
	bool is_far;   /* and the address is 1 MiB or more from that memory */
};

/*
 * Find the sum that gives the address of the row, or one in its page if the row has a page. Sums
 * with a known pointer, and then those with the larger product, are preferred. Products that do not
 * leave a page are left out, unless the address is known to the byte. `bytes` is the parameter
 * buffer of `function`; NULL: its parameters are not known. False: none.
 */
bool address_sum_find(const struct bundle_view *view, const struct fault_row *row,
		      const struct function_row *function, const unsigned char *bytes, size_t size,
		      struct address_sum *out);

#endif
