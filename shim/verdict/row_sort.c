/*
 * row_sort.c - a counting sort by group, then a heap sort of those groups that need one.
 */
#include "row_sort.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_ROW_SIZE = 64 };

static uint32_t group_of(const struct row_shape *shape, const unsigned char *rows, uint32_t index)
{
	uint32_t group;

	memcpy(&group, rows + index * shape->size + shape->group, sizeof(group));
	return group;
}

static uint64_t key_of(const struct row_shape *shape, const unsigned char *rows, uint32_t index)
{
	uint64_t key;

	memcpy(&key, rows + index * shape->size + shape->key, sizeof(key));
	return key;
}

static void swap_rows(const struct row_shape *shape, unsigned char *rows, uint32_t a, uint32_t b)
{
	unsigned char row[MAX_ROW_SIZE];

	memcpy(row, rows + a * shape->size, shape->size);
	memcpy(rows + a * shape->size, rows + b * shape->size, shape->size);
	memcpy(rows + b * shape->size, row, shape->size);
}

/* Restores the heap below `root`: no row's key is below its children's. */
static void sift_down(const struct row_shape *shape, unsigned char *rows, uint32_t root, uint32_t n)
{
	while ((uint64_t)root * 2 + 1 < n) {
		uint32_t child = root * 2 + 1;

		if (child + 1 < n && key_of(shape, rows, child + 1) > key_of(shape, rows, child))
			child++;
		if (key_of(shape, rows, root) >= key_of(shape, rows, child))
			return;
		swap_rows(shape, rows, root, child);
		root = child;
	}
}

static void heap_sort(const struct row_shape *shape, unsigned char *rows, uint32_t n)
{
	for (uint32_t root = n / 2; root > 0; root--)
		sift_down(shape, rows, root - 1, n);
	for (uint32_t last = n - 1; last > 0; last--) {
		swap_rows(shape, rows, 0, last);
		sift_down(shape, rows, 0, last);
	}
}

static bool is_sorted(const struct row_shape *shape, const unsigned char *rows, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		if (key_of(shape, rows, i - 1) > key_of(shape, rows, i))
			return false;
	}
	return true;
}

/* Leaves starts[g + 1] at the end of group g, which is where group g + 1 begins. */
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

		memcpy(to + place * shape->size, from + i * shape->size, shape->size);
	}
}

void sort_rows(const struct row_shape *shape, const void *from, uint32_t n, void *to,
	       uint32_t n_groups, uint32_t *starts)
{
	unsigned char *rows = to;

	copy_grouped(shape, from, n, rows, n_groups, starts);
	for (uint32_t group = 0; group < n_groups; group++) {
		unsigned char *first = rows + starts[group] * shape->size;
		uint32_t n_in_group = starts[group + 1] - starts[group];

		if (!is_sorted(shape, first, n_in_group))
			heap_sort(shape, first, n_in_group);
	}
}
