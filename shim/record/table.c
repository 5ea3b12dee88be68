/*
 * table.c - appending rows to a bundle file. The meaning of rows is their writers' business.
 */
#include "table.h"

#include <string.h>

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

void table_close(struct table *table)
{
	__atomic_store_n(&table->header, NULL, __ATOMIC_RELEASE);
	store_close(&table->store);
}

static unsigned char *row_at(const struct table *table, uint64_t index)
{
	return table->store.base + sizeof(struct file_header) + index * table->row_size;
}

/* Appends under the lock: the id, or 0. */
static uint32_t append_locked(struct table *table, const void *rows, uint32_t n_rows)
{
	struct file_header *header = table->header;
	uint64_t first = header->n_rows;
	uint64_t end = first + n_rows;
	unsigned char *place = row_at(table, first);
	if (end > header->capacity || end > UINT32_MAX ||
	    !store_back(&table->store, (size_t)(row_at(table, end) - table->store.base))) {
		__atomic_store_n(&header->lost, header->lost + n_rows, __ATOMIC_RELAXED);
		return 0;
	}
	memcpy(place, rows, n_rows * table->row_size);
	/* Pairs with the acquire load of n_rows in bundle_view.c. */
	__atomic_store_n(&header->n_rows, end, __ATOMIC_RELEASE);
	return (uint32_t)first + 1;
}

uint32_t table_append(struct table *table, const void *rows, uint32_t n_rows)
{
	if (!__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
		return 0;
	pthread_mutex_lock(&table->lock);
	uint32_t id = append_locked(table, rows, n_rows);
	pthread_mutex_unlock(&table->lock);
	return id;
}

void *table_row(const struct table *table, uint32_t id)
{
	return id ? row_at(table, id - 1) : NULL;
}
