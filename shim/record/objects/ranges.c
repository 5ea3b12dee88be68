/*
 * ranges.c - the table of memory, and maps from a live range's address or handle to its row.
 */
#include "record/objects/ranges.h"

#include <pthread.h>

#include "record/host/handle_map.h"
#include "record/journal/bundle.h"

enum {
	N_FREED_KEPT = 64 * 1024, /* freed rows kept before the oldest is reused */
	N_FREED_MAX = RANGE_ROWS_MAX,
};

/* Addresses of memory; reserved addresses, where memory may start too; handles. */
static struct handle_map live, reserved, handles;
static uint64_t n_made;     /* atomic: allocations ever */
static uint64_t generation; /* atomic */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards freed and counts; innermost */
static uint32_t freed[N_FREED_MAX];                      /* ids, a queue */
static uint64_t n_queued, n_reused;

/* Pairs with ranges_generation(): a reader that sees the number sees the row. */
static void note_change(void)
{
	(void)__atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
}

uint64_t ranges_generation(void)
{
	/* 0 is what a reader has that has read nothing yet. */
	return 1 + __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

static struct handle_map *map_of(enum range_kind kind)
{
	if (kind == RANGE_RESERVED)
		return &reserved;
	return range_has_address(kind) ? &live : &handles;
}

static struct range_row *row_of(uint64_t id)
{
	return table_row(bundle_table(JOURNAL_RANGES), (uint32_t)id);
}

/* Return a freed row for reuse once enough of them are kept, or 0. */
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

static uint32_t put_row(const struct range_row *row)
{
	uint32_t id = reusable_row();
	if (!id)
		return table_append(bundle_table(JOURNAL_RANGES), row, 1);
	struct range_row *place = row_of(id);
	struct range_row unseen = *row;
	unseen.state = 0;
	/* Meanwhile a reader sees a row with state 0, and skips it. */
	__atomic_store_n(&place->state, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*place = unseen;
	__atomic_store_n(&place->state, RANGE_LIVE, __ATOMIC_RELEASE);
	return id;
}

static uint32_t write_row(const struct range_row *row)
{
	uint32_t id = put_row(row);
	note_change();
	return id;
}

static void note_mapping(const struct range_row *mapping, bool is_there)
{
	const struct table *table = bundle_table(JOURNAL_RANGES);
	if (!mapping->parent || !table_holds(table, mapping->parent, 1))
		return;
	struct range_row *physical = row_of(mapping->parent);
	if (physical->kind != RANGE_PHYSICAL)
		return;
	if (is_there)
		__atomic_or_fetch(&physical->flags, RANGE_HAS_MAPPING, __ATOMIC_RELAXED);
	else
		__atomic_and_fetch(&physical->flags, (uint16_t)~RANGE_HAS_MAPPING,
				   __ATOMIC_RELAXED);
}

static void mark_freed(uint32_t id, const struct range_origin *origin, uint16_t flags)
{
	struct range_row *row = row_of(id);
	row->freed_call = origin->call;
	row->freed_stack = origin->stack;
	row->freed_tid = origin->tid;
	row->freed_stream = origin->stream;
	row->freed_ns = origin->time_ns;
	row->freed_after = origin->sequence;
	__atomic_or_fetch(&row->flags, flags, __ATOMIC_RELAXED);
	if (row->kind == RANGE_MAPPED)
		note_mapping(row, false);
	__atomic_store_n(&row->state, RANGE_FREED, __ATOMIC_RELEASE);
	note_change();
}

uint32_t ranges_remove(uint64_t start, enum range_kind kind, const struct range_origin *origin)
{
	uint64_t id = 0;
	if (!start || !handle_map_take(map_of(kind), start, &id))
		return 0;
	mark_freed((uint32_t)id, origin, 0);
	return (uint32_t)id;
}

/* Undo mark_freed(). Meanwhile a reader sees a row with state 0. */
static void mark_live(struct range_row *row)
{
	__atomic_store_n(&row->state, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	row->freed_call = row->freed_stack = row->freed_tid = row->freed_stream = 0;
	row->freed_ns = row->freed_after = 0;
	if (row->kind == RANGE_MAPPED)
		note_mapping(row, true);
	__atomic_store_n(&row->state, RANGE_LIVE, __ATOMIC_RELEASE);
	note_change();
}

void ranges_removed(uint32_t id, bool is_gone)
{
	struct range_row *row = row_of(id);
	uint64_t newest = id;
	/* If another range starts there by now, this one was freed after all. */
	if (is_gone ||
	    !handle_map_put_new(map_of((enum range_kind)row->kind), row->start, &newest) ||
	    newest != id)
		queue_freed(id);
	else
		mark_live(row);
}

static void remove_at_once(uint64_t start, enum range_kind kind, const struct range_origin *origin)
{
	uint32_t id = ranges_remove(start, kind, origin);
	if (id)
		ranges_removed(id, true);
}

/* Find the row and the end of the range that starts there; false: none does. */
static bool find_live(uint64_t start, uint64_t *out_id, uint64_t *out_end)
{
	if (!handle_map_get(&live, start, out_id) || !row_of(*out_id)->size)
		return false;
	*out_end = start + row_of(*out_id)->size;
	return true;
}

uint32_t ranges_remove_all(uint64_t start, uint64_t size, const struct range_origin *origin)
{
	uint32_t first = 0;
	uint64_t id = 0;
	uint64_t next = 0;
	for (uint64_t at = start; at - start < size && find_live(at, &id, &next); at = next) {
		if (at == start)
			first = ranges_remove(at, RANGE_MAPPED, origin);
		else
			remove_at_once(at, RANGE_MAPPED, origin);
	}
	return first;
}

void ranges_grant(uint64_t start, uint64_t size, uint16_t access)
{
	uint64_t id = 0;
	uint64_t next = 0;
	for (uint64_t at = start; at - start < size && find_live(at, &id, &next); at = next) {
		__atomic_or_fetch(&row_of(id)->flags, access, __ATOMIC_RELAXED);
	}
}

static struct range_row new_row(const struct range_shape *shape, const struct range_origin *origin)
{
	return (struct range_row){
		.start = shape->start,
		.size = shape->size,
		.number = __atomic_add_fetch(&n_made, 1, __ATOMIC_RELAXED),
		.call = origin->call,
		.stack = origin->stack,
		.context = origin->context,
		.time_ns = origin->time_ns,
		.tid = origin->tid,
		.stream = shape->stream,
		.flags = shape->flags,
		.kind = shape->kind,
		.device = shape->device,
		.state = RANGE_LIVE,
	};
}

void ranges_add(const struct range_shape *shape, const struct range_origin *origin)
{
	if (!shape->start)
		return;
	struct range_row row = new_row(shape, origin);
	uint64_t parent = 0;
	if (shape->parent && handle_map_get(&handles, shape->parent, &parent))
		row.parent = (uint32_t)parent;
	/* An older range there was freed in a way that we did not see. */
	remove_at_once(shape->start, (enum range_kind)shape->kind, origin);
	uint32_t id = write_row(&row);
	if (id && row.parent)
		note_mapping(&row, true);
	if (id)
		(void)handle_map_put(map_of((enum range_kind)shape->kind), shape->start, id);
}

/* The address may by now belong to another context's range. */
static void remove_row(uint32_t id, const struct range_row *row, const struct range_origin *origin)
{
	if (handle_map_take_own(map_of((enum range_kind)row->kind), row->start, id)) {
		mark_freed(id, origin, RANGE_OF_CONTEXT_END);
		queue_freed(id);
	}
}

/* Walk the whole table: contexts seldom end. */
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
			remove_row(id, row, origin);
	}
}
