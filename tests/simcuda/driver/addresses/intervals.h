/*
 * intervals.h - a sorted table of address intervals that do not overlap. All: lock held.
 */
#ifndef SIMCUDA_INTERVALS_H
#define SIMCUDA_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
	uintptr_t start;
	size_t size;
	void *data; /* the user's */
};

struct interval_table {
	struct interval *intervals; /* ascending by start */
	size_t count, capacity;
};

/* Return the interval that contains the address, or NULL. Valid until the table changes. */
struct interval *interval_find(const struct interval_table *table, uintptr_t address);

/* Return the first interval that ends after the address, or NULL. Valid until the table changes. */
struct interval *interval_find_from(const struct interval_table *table, uintptr_t address);

bool interval_overlaps(const struct interval_table *table, uintptr_t start, size_t size);

void interval_insert(struct interval_table *table, struct interval interval);
void interval_remove(struct interval_table *table, struct interval *interval);

#endif
