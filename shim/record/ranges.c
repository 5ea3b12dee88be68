/*
 * ranges.c - the table of memory ranges and the map of the living ones.
 */
#include "ranges.h"

#include <pthread.h>

#include "bundle.h"
#include "handle_map.h"

enum {
	N_FREED_KEPT = 16 * 1024, /* freed rows kept before the oldest is used again */
	N_FREED_MAX = 64 * 1024,  /* as many as the table has rows */
};

static struct handle_map live; /* start -> row id */
static uint64_t n_made;        /* atomic: allocations ever */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the two below; innermost */
static uint32_t freed[N_FREED_MAX];                      /* ids, a queue */
static uint64_t n_queued, n_reused;

/* A freed row to use again once enough of them are kept, or 0. */
static uint32_t reusable_row(void)
{
	uint32_t id = 0;
	pthread_mutex_lock(&lock);
	if (n_queued - n_reused > N_FREED_KEPT)
		id = freed[n_reused++ % N_FREED_MAX];
	pthread_mutex_unlock(&lock);
	return id;
}

static void queue_freed(uint32_t id)
{
	pthread_mutex_lock(&lock);
	freed[n_queued++ % N_FREED_MAX] = id;
	pthread_mutex_unlock(&lock);
}

static uint32_t write_row(const struct range_row *row)
{
	uint32_t id = reusable_row();
	if (!id)
		return table_append(bundle_table(JOURNAL_RANGES), row, 1);
	struct range_row *place = table_row(bundle_table(JOURNAL_RANGES), id);
	/* A reader that comes now sees a row in nobody's state, and skips it. */
	__atomic_store_n(&place->state, 0, __ATOMIC_RELEASE);
	place->start = row->start;
	place->size = row->size;
	place->number = row->number;
	place->call = row->call;
	place->stack = row->stack;
	place->freed_call = 0;
	place->freed_stack = 0;
	place->context = row->context;
	place->freed_after = 0;
	__atomic_store_n(&place->state, RANGE_LIVE, __ATOMIC_RELEASE);
	return id;
}

static void free_row(uint32_t id, const struct range_origin *origin)
{
	struct range_row *row = table_row(bundle_table(JOURNAL_RANGES), id);
	row->freed_call = origin->call;
	row->freed_stack = origin->stack;
	row->freed_after = origin->sequence;
	__atomic_store_n(&row->state, RANGE_FREED, __ATOMIC_RELEASE);
	queue_freed(id);
}

void ranges_remove(uint64_t start, const struct range_origin *origin)
{
	uint64_t id;
	if (start && handle_map_take(&live, start, &id))
		free_row((uint32_t)id, origin);
}

void ranges_add(uint64_t start, uint64_t size, const struct range_origin *origin)
{
	struct range_row row = {
		.start = start,
		.size = size,
		.number = __atomic_add_fetch(&n_made, 1, __ATOMIC_RELAXED),
		.call = origin->call,
		.stack = origin->stack,
		.context = origin->context,
		.state = RANGE_LIVE,
	};
	/* What was there before was freed in a way that we did not see. */
	ranges_remove(start, origin);
	uint32_t id = start ? write_row(&row) : 0;
	if (id)
		(void)handle_map_put(&live, start, id);
}

/* The address may by now be another range's, of a thread in another context. */
static void remove_row(uint32_t id, uint64_t start, const struct range_origin *origin)
{
	uint64_t newest;
	if (handle_map_get(&live, start, &newest) && newest == id)
		ranges_remove(start, origin);
}

/* Walks the whole table: contexts do not end often. */
void ranges_context_destroyed(uint32_t context, const struct range_origin *origin)
{
	const struct table *table = bundle_table(JOURNAL_RANGES);
	if (!table->header || !context)
		return;
	uint64_t n_rows = __atomic_load_n(&table->header->n_rows, __ATOMIC_ACQUIRE);
	for (uint32_t id = 1; id <= n_rows; id++) {
		const struct range_row *row = table_row(table, id);
		if (__atomic_load_n(&row->state, __ATOMIC_ACQUIRE) == RANGE_LIVE &&
		    row->context == context)
			remove_row(id, row->start, origin);
	}
}
