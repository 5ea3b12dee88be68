/*
 * row_sort.h - sorts rows by a group and then by a key, in the caller's memory. It replaces qsort,
 * which may allocate: code that runs inside a failing process must not.
 */
#ifndef CULPRIT_VIEW_ROW_SORT_H
#define CULPRIT_VIEW_ROW_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Layout of a row: its size, and the offsets of a uint32_t group and a uint64_t key. */
struct row_shape {
	size_t size;
	size_t group;
	size_t key;
};

/*
 * Copy the n rows of `from` into `to`, ordered by group, then key; equal rows keep their order.
 * `from` serves as the buffer and is left in disorder. Groups are below n_groups. `starts` has room
 * for n_groups + 1 and gets the index of each group's first row, then n. The rows of one thread are
 * in order already, so the cost is that of merging one run per thread, at worst n log n.
 */
void row_sort(const struct row_shape *shape, void *from, uint32_t n, void *to, uint32_t n_groups,
	      uint32_t *starts);

#endif
