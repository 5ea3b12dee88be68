/*
 * row_pool.c - queues of rows for reuse.
 */
#include "record/journal/row_pool.h"

#include <string.h>

#include "record/journal/bundle.h"

/* Return the oldest released row if more than n_kept are released, else 0. */
static uint32_t take(struct row_pool *pool, uint64_t n_kept)
{
	uint32_t id = 0;
	pthread_mutex_lock(&pool->lock);
	if (pool->n_given - pool->n_taken > n_kept)
		id = pool->given[pool->n_taken++ % pool->n_places];
	pthread_mutex_unlock(&pool->lock);
	return id;
}

void row_pool_give(struct row_pool *pool, uint32_t id)
{
	if (!id)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->given[pool->n_given++ % pool->n_places] = id;
	pthread_mutex_unlock(&pool->lock);
}

void row_pool_write(const struct row_pool *pool, uint32_t id, const void *row)
{
	const struct table *table = bundle_table(pool->file);
	uint64_t *number = table_row(table, id);
	uint64_t wanted = 0;
	memcpy(&wanted, row, sizeof(wanted));
	__atomic_store_n(number, 0, __ATOMIC_RELAXED);
	/* A reader that sees the stores below sees the 0 as well. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(number + 1, (const unsigned char *)row + sizeof(wanted),
	       table->row_size - sizeof(wanted));
	/* Pairs with the acquire loads in view_graph_copy() and view_graph_node_copy(). */
	__atomic_store_n(number, wanted, __ATOMIC_RELEASE);
}

/* In a full table a new row is worth more than a released one. */
uint32_t row_pool_add(struct row_pool *pool, const void *row)
{
	uint32_t id = take(pool, pool->n_kept);
	if (!id)
		id = table_append(bundle_table(pool->file), row, 1);
	else
		row_pool_write(pool, id, row);
	if (id)
		return id;
	id = take(pool, 0);
	if (id)
		row_pool_write(pool, id, row);
	return id;
}
