/*
 * table.c - append rows to a bundle file. The writers of rows know their meaning.
 */
#include "record/journal/table.h"

#include <string.h>

#include "record/host/arena.h"

enum { TABLE_PIECE = 64 * 1024 };

void table_write_header(struct file_header *header, enum journal_file kind, size_t row_size,
			uint64_t capacity)
{
	header->kind = (uint32_t)kind;
	header->header_size = sizeof(*header);
	header->row_size = (uint32_t)row_size;
	header->capacity = capacity;
	/* Last: a file without magic is one whose header was never finished. */
	__atomic_store_n(&header->magic, JOURNAL_MAGIC, __ATOMIC_RELEASE);
}

int table_open(struct table *table, const char *path, enum journal_file kind, size_t row_size,
	       uint64_t capacity)
{
	size_t bytes = sizeof(struct file_header) + row_size * capacity;
	int error = store_open(&table->store, path, bytes, TABLE_PIECE);
	if (error)
		return error;
	table->row_size = row_size;
	pthread_mutex_init(&table->lock, NULL);
	table_write_header((struct file_header *)table->store.base, kind, row_size, capacity);
	__atomic_store_n(&table->header, (struct file_header *)table->store.base, __ATOMIC_RELEASE);
	return 0;
}

static unsigned char *row_at(const struct table *table, uint64_t index)
{
	return table->store.base + sizeof(struct file_header) + index * table->row_size;
}

/* Written once, by tables_freeze(). */
static bool are_kept;

bool tables_are_frozen(void)
{
	/* Relaxed: a thread that asks under a lock which row_uses_freeze() has taken since the
	   store below finds it by that lock. */
	return __atomic_load_n(&are_kept, __ATOMIC_RELAXED);
}

void tables_freeze(void)
{
	__atomic_store_n(&are_kept, true, __ATOMIC_RELAXED);
}

/* After the failure no lost row is counted: the report only covers what was before. */
static void count_lost(struct table *table, uint32_t n)
{
	if (!tables_are_frozen())
		__atomic_fetch_add(&table->header->lost, n, __ATOMIC_RELAXED);
}

void table_count_lost(struct table *table)
{
	count_lost(table, 1);
}

void table_note_reuse(struct table *table)
{
	struct file_header *header = table->header;
	__atomic_store_n(&header->incompatible_flags, JOURNAL_REUSED, __ATOMIC_RELAXED);
	/* A reader that sees the raised count also sees the rows that were published before. */
	__atomic_store_n(&header->n_reused, header->n_reused + 1, __ATOMIC_RELEASE);
	/* A reader that sees later stores also sees the raised count. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/* Return where rows to append go, NULL if there is no room. Under the lock. */
static unsigned char *next_place(struct table *table, uint32_t n_rows)
{
	struct file_header *header = table->header;
	uint64_t first = header->n_rows;
	uint64_t end = first + n_rows;
	if (end >= UINT32_MAX)
		return NULL;
	if (end <= header->capacity) {
		unsigned char *place = row_at(table, first);
		size_t size = (size_t)(row_at(table, end) - table->store.base);
		return store_back(&table->store, size) ? place : NULL;
	}
	/* One row at a time, so that none is cut by the table's end. */
	if (!table->is_turning || n_rows != 1 || tables_are_frozen())
		return NULL;
	table_note_reuse(table);
	return row_at(table, first % header->capacity);
}

/* Append `size` rows, the first n_rows from `rows`. Return the id, or 0. Under the lock. */
static uint32_t append_locked(struct table *table, const void *rows, uint32_t n_rows, uint32_t size)
{
	struct file_header *header = table->header;
	unsigned char *place = next_place(table, size);
	if (!place)
		return 0;
	uint64_t end = header->n_rows + size;
	if (rows)
		memcpy(place, rows, n_rows * table->row_size);
	/* Pairs with the acquire load of n_rows in bundle_view.c. */
	__atomic_store_n(&header->n_rows, end, __ATOMIC_RELEASE);
	return (uint32_t)(end - size) + 1;
}

uint32_t table_append(struct table *table, const void *rows, uint32_t n_rows)
{
	if (!__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&table->lock);
	uint32_t id = append_locked(table, rows, n_rows, n_rows);
	if (!id)
		count_lost(table, n_rows);
	pthread_mutex_unlock(&table->lock);
	return id;
}

/* Append one by one: in a turning table each row replaces an older one. */
uint32_t table_append_chain(struct table *table, void *rows, uint32_t n_rows, size_t parent_offset,
			    uint32_t parent, uint32_t *out_first)
{
	uint32_t n = 0;
	*out_first = 0;
	if (!__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&table->lock);
	for (; n < n_rows; n++) {
		unsigned char *row = (unsigned char *)rows + n * table->row_size;
		memcpy(row + parent_offset, &parent, sizeof(parent));
		parent = append_locked(table, row, 1, 1);
		if (!parent)
			break;
		if (!n)
			*out_first = parent;
	}
	if (n < n_rows)
		count_lost(table, 1);
	pthread_mutex_unlock(&table->lock);
	return n;
}

/* Round n_rows up to an existing block size, and return that size's index in free_blocks[]. */
static uint32_t round_size(uint32_t *n_rows)
{
	enum { EXACT = 32, LOG_EXACT = 5, LOG_STEPS = 2 };
	if (*n_rows <= EXACT)
		return *n_rows ? *n_rows - 1 : 0;
	/* The octave of sizes in (2^n, 2^(n + 1)]. */
	uint32_t octave = 31 - (uint32_t)__builtin_clz(*n_rows - 1);
	uint32_t step = 1u << (octave - LOG_STEPS);
	uint32_t n_steps = (*n_rows - (1u << octave) + step - 1) / step;
	*n_rows = (1u << octave) + n_steps * step;
	return EXACT + (octave - LOG_EXACT) * (1 << LOG_STEPS) + n_steps - 1;
}

uint32_t table_block_rows(uint32_t n_rows)
{
	(void)round_size(&n_rows);
	return n_rows;
}

/* Rewrite a released block of this size; return 0 if there is none. Under the lock. */
static uint32_t take_block(struct table *table, uint32_t size_class, const void *rows,
			   uint32_t n_rows, uint32_t size)
{
	uint32_t id = table->free_blocks[size_class];
	if (!id || tables_are_frozen())
		return 0;
	table->free_blocks[size_class] = table->next_free[id - 1];
	table_note_reuse(table);
	unsigned char *place = row_at(table, id - 1);
	if (rows)
		memcpy(place, rows, n_rows * table->row_size);
	else
		n_rows = 0;
	memset(place + n_rows * table->row_size, 0, (size - n_rows) * table->row_size);
	return id;
}

uint32_t table_append_block(struct table *table, const void *rows, uint32_t n_rows)
{
	uint32_t size = n_rows;
	uint32_t size_class = round_size(&size);
	if (!n_rows || !__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&table->lock);
	uint32_t id = take_block(table, size_class, rows, n_rows, size);
	if (!id)
		id = append_locked(table, rows, n_rows, size);
	if (!id)
		table_count_lost(table);
	pthread_mutex_unlock(&table->lock);
	return id;
}

/* Under the lock. */
static bool can_free(struct table *table)
{
	size_t capacity = table->store.capacity / table->row_size;
	if (!table->next_free)
		table->next_free = arena_alloc(capacity * sizeof(*table->next_free));
	return table->next_free;
}

bool table_holds(const struct table *table, uint32_t id, uint32_t n_rows)
{
	if (!id || !__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
		return false;
	size_t end = sizeof(struct file_header) + (id - (size_t)1 + n_rows) * table->row_size;
	return end <= table->store.capacity;
}

void table_free_block(struct table *table, uint32_t id, uint32_t n_rows)
{
	uint32_t size_class = round_size(&n_rows);
	if (!table_holds(table, id, n_rows))
		return;
	pthread_mutex_lock(&table->lock);
	if (can_free(table)) {
		table->next_free[id - 1] = table->free_blocks[size_class];
		table->free_blocks[size_class] = id;
	}
	pthread_mutex_unlock(&table->lock);
}

bool table_is_full(const struct table *table)
{
	const struct file_header *header = __atomic_load_n(&table->header, __ATOMIC_ACQUIRE);
	return !header || __atomic_load_n(&header->n_rows, __ATOMIC_RELAXED) >= header->capacity;
}

uint64_t table_half_turns(const struct table *table)
{
	const struct file_header *header = __atomic_load_n(&table->header, __ATOMIC_ACQUIRE);
	if (!header || header->capacity < 2)
		return 0;
	return __atomic_load_n(&header->n_rows, __ATOMIC_RELAXED) / (header->capacity / 2);
}

void *table_row(const struct table *table, uint32_t id)
{
	return id ? row_at(table, id - 1) : NULL;
}
