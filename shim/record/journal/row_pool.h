/*
 * row_pool.h - a table whose rows are used again. A released row stays readable until more than
 * n_kept rows are released; then the oldest released row is overwritten. So the table stays
 * bounded, and recently released rows can still be read after a failure.
 *
 * Each row starts with a uint64_t number, never 0 and never the same for two uses of a row. It is 0
 * while the row is being written. A reader that finds the same number before and after reading has
 * one whole use of the row.
 */
#ifndef CULPRIT_RECORD_ROW_POOL_H
#define CULPRIT_RECORD_ROW_POOL_H

#include <pthread.h>
#include <stdint.h>

#include "base/journal_format.h"

struct row_pool {
	enum journal_file file;
	uint32_t n_kept;   /* number of released rows that stay readable */
	uint32_t n_places; /* size of `given`: at least the table's rows */
	uint32_t *given;   /* ids of released rows, a queue */
	uint64_t n_given;
	uint64_t n_taken;
	pthread_mutex_t lock; /* guards the three above; no other lock is taken under it */
};

/*
 * Write a row, of the table's row size and with its number set, into a free place. Return its id,
 * or 0 if the table is full. Any thread.
 */
uint32_t row_pool_add(struct row_pool *pool, const void *row);

/* Overwrite a row that is in use. Only the owner of the described object may call this. */
void row_pool_write(const struct row_pool *pool, uint32_t id, const void *row);

/* Release the row for reuse in its turn. Once for each row_pool_add(). Any thread. */
void row_pool_give(struct row_pool *pool, uint32_t id);

#endif
