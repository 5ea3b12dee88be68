/*
 * intervals.c - binary search in a sorted array; insertion moves the intervals after it.
 */
#include "addresses/intervals.h"

#include <stdlib.h>
#include <string.h>

#include "sim.h"

struct interval *interval_find_from(const struct interval_table *table, uintptr_t address)
{
	size_t low = 0;
	size_t high = table->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct interval *interval = &table->intervals[middle];
		if (interval->start + interval->size > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low < table->count ? &table->intervals[low] : NULL;
}

struct interval *interval_find(const struct interval_table *table, uintptr_t address)
{
	struct interval *interval = interval_find_from(table, address);
	return interval && interval->start <= address ? interval : NULL;
}

bool interval_overlaps(const struct interval_table *table, uintptr_t start, size_t size)
{
	const struct interval *interval = interval_find_from(table, start);
	return interval && interval->start < start + size;
}

static void grow(struct interval_table *table)
{
	struct interval *old = table->intervals;
	table->capacity = table->capacity ? table->capacity * 2 : 64;
	table->intervals = sim_alloc(table->capacity * sizeof(*old));
	if (old)
		memcpy(table->intervals, old, table->count * sizeof(*old));
	free(old);
}

void interval_insert(struct interval_table *table, struct interval interval)
{
	size_t index = table->count;
	if (table->count == table->capacity)
		grow(table);
	struct interval *slot = interval_find_from(table, interval.start);
	if (slot)
		index = (size_t)(slot - table->intervals);
	slot = &table->intervals[index];
	memmove(slot + 1, slot, (table->count - index) * sizeof(*slot));
	*slot = interval;
	table->count++;
}

void interval_remove(struct interval_table *table, struct interval *interval)
{
	size_t index = (size_t)(interval - table->intervals);
	table->count--;
	memmove(interval, interval + 1, (table->count - index) * sizeof(*interval));
}
