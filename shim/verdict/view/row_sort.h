/*
 * row_sort.h - sorts rows by a group and then by a key, in memory that the caller gives. The
 * library's qsort may allocate, which code that runs inside a failing process must not.
 */
#ifndef CULPRIT_VERDICT_ROW_SORT_H
#define CULPRIT_VERDICT_ROW_SORT_H

#include <stddef.h>
#include <stdint.h>

/* How rows look: `group` and `key` are offsets of a uint32_t and of a uint64_t in each. */
struct row_shape {
	size_t size;
	size_t group;
	size_t key;
};

/*
 * Copies the n rows of `from` into `to`, ordered by group, then key; equal ones keep their order.
 * Leaves `from` in disorder: it is the buffer. Groups are below n_groups; `starts` has room for
 * n_groups + 1 and gets the index of each group's first row, then n. Rows of one thread are in
 * order already: the cost is that of merging as many runs as there are threads, at worst n log n.
 */
void row_sort(const struct row_shape *shape, void *from, uint32_t n, void *to, uint32_t n_groups,
	      uint32_t *starts);

#endif
