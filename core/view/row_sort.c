/*
 * row_sort.c - a counting sort by group, then a merge of the runs in each group.
 */
#include "view/row_sort.h"

#include <stdbool.h>
#include <string.h>

static uint32_t group_of(const struct row_shape *shape, const unsigned char *rows, uint32_t index)
{
	uint32_t group = 0;
	memcpy(&group, rows + index * shape->size + shape->group, sizeof(group));
	return group;
}

static uint64_t key_of(const struct row_shape *shape, const unsigned char *rows, uint32_t index)
{
	uint64_t key = 0;
	memcpy(&key, rows + index * shape->size + shape->key, sizeof(key));
	return key;
}

static void copy_row(const struct row_shape *shape, const unsigned char *from, uint32_t from_index,
		     unsigned char *to, uint32_t to_index)
{
	memcpy(to + to_index * shape->size, from + from_index * shape->size, shape->size);
}

/* Return one past the last row of the ordered run that begins here. */
static uint32_t find_run_end(const struct row_shape *shape, const unsigned char *rows,
			     uint32_t begin, uint32_t n)
{
	uint32_t end = begin + 1;
	while (end < n && key_of(shape, rows, end - 1) <= key_of(shape, rows, end))
		end++;
	return end;
}

/* Merge the runs [begin, middle) and [middle, end) into the same rows of `to`. */
static void merge_runs(const struct row_shape *shape, const unsigned char *rows, uint32_t begin,
		       uint32_t middle, uint32_t end, unsigned char *to)
{
	uint32_t left = begin;
	uint32_t right = middle;
	for (uint32_t i = begin; i < end; i++) {
		bool is_left =
			right == end ||
			(left < middle && key_of(shape, rows, left) <= key_of(shape, rows, right));
		copy_row(shape, rows, is_left ? left++ : right++, to, i);
	}
}

/* Merge neighbouring runs in pairs. Returns how many runs are left. */
static uint32_t merge_pass(const struct row_shape *shape, unsigned char *rows, uint32_t n,
			   unsigned char *buffer)
{
	uint32_t n_runs = 0;
	uint32_t end = 0;
	for (uint32_t begin = 0; begin < n; begin = end) {
		uint32_t middle = find_run_end(shape, rows, begin, n);
		end = middle < n ? find_run_end(shape, rows, middle, n) : n;
		merge_runs(shape, rows, begin, middle, end, buffer);
		n_runs++;
	}
	memcpy(rows, buffer, n * shape->size);
	return n_runs;
}

static void merge_sort(const struct row_shape *shape, unsigned char *rows, uint32_t n,
		       unsigned char *buffer)
{
	if (n < 2 || find_run_end(shape, rows, 0, n) == n)
		return;
	while (merge_pass(shape, rows, n, buffer) > 1)
		;
}

/* Copy rows by group. Afterwards starts[g + 1] is the end of group g and the start of g + 1. */
static void copy_grouped(const struct row_shape *shape, const unsigned char *from, uint32_t n,
			 unsigned char *to, uint32_t n_groups, uint32_t *starts)
{
	uint32_t begin = 0;
	memset(starts, 0, (n_groups + (size_t)1) * sizeof(*starts));
	for (uint32_t i = 0; i < n; i++)
		starts[group_of(shape, from, i) + 1]++;
	for (uint32_t group = 0; group < n_groups; group++) {
		uint32_t count = starts[group + 1];
		starts[group + 1] = begin;
		begin += count;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t place = starts[group_of(shape, from, i) + 1]++;
		copy_row(shape, from, i, to, place);
	}
}

void row_sort(const struct row_shape *shape, void *from, uint32_t n, void *to, uint32_t n_groups,
	      uint32_t *starts)
{
	copy_grouped(shape, from, n, to, n_groups, starts);
	for (uint32_t group = 0; group < n_groups; group++) {
		size_t offset = starts[group] * shape->size;
		merge_sort(shape, (unsigned char *)to + offset, starts[group + 1] - starts[group],
			   (unsigned char *)from + offset);
	}
}
