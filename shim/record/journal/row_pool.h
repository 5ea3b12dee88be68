/*
 * row_pool.h - a table whose rows are used again: those given back stay readable until enough of
 * them are, then the longest given back is overwritten. So a table stays bounded, and what was
 * given back lately can still be read after a failure.
 *
 * The rows begin with a uint64_t number, never 0 and never the same for two uses of a row. It is 0
 * while the row is being written: a reader that finds the same number before and after reading has
 * one whole use of the row.
 */
#ifndef CULPRIT_RECORD_ROW_POOL_H
#define CULPRIT_RECORD_ROW_POOL_H

#include <pthread.h>
#include <stdint.h>

#include "base/journal_format.h"

struct row_pool {
	enum journal_file file;
	uint32_t n_kept;   /* rows given back that stay readable */
	uint32_t n_places; /* of `given`: at least the table's rows */
	uint32_t *given;   /* ids, a queue */
	uint64_t n_given;
	uint64_t n_taken;
	pthread_mutex_t lock; /* guards the three above; no other lock is taken under it */
};

/*
 * Writes a row (of the table's row size, its number set) where it finds room. Its id, or 0: the
 * table is full. Any thread.
 */
uint32_t row_pool_add(struct row_pool *pool, const void *row);

/* Overwrites a row that is in use; only who owns the object behind it may. */
void row_pool_write(const struct row_pool *pool, uint32_t id, const void *row);

/* The row may be used again, in its turn. Not twice for one row_pool_add. Any thread. */
void row_pool_give(struct row_pool *pool, uint32_t id);

#endif
