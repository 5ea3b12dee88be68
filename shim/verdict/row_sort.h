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
 * Copies the n rows of `from` into `to`, ordered by group, then key. Groups are below n_groups;
 * `starts` has room for n_groups + 1 and gets the index of each group's first row, then n. Linear
 * if each group's rows are in order already, as one thread's are; never worse than n log n.
 */
void sort_rows(const struct row_shape *shape, const void *from, uint32_t n, void *to,
	       uint32_t n_groups, uint32_t *starts);

#endif
