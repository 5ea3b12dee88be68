/*
 * table.h - one file of the bundle as a growing array of rows (journal_format.h).
 *
 * Writers take the table's lock to append; readers of other floors look at header.n_rows, raised
 * with release order after the row is whole. Live members of a published row are stored atomically
 * by whoever owns the object behind it, without the lock.
 */
#ifndef CULPRIT_RECORD_TABLE_H
#define CULPRIT_RECORD_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "journal_format.h"
#include "store.h"

struct table {
	struct store store;
	struct file_header *header; /* NULL: closed, appends are lost */
	size_t row_size;
	pthread_mutex_t lock; /* guards appending; no other lock is taken under it */
};

/*
 * Opens a table for `capacity` rows in the file `path` (NULL: memory). 0 or -errno; a table that is
 * not open takes no rows and gives none.
 */
int table_open(struct table *table, const char *path, enum journal_file kind, size_t row_size,
	       uint64_t capacity);
void table_close(struct table *table);

/*
 * Appends n_rows rows in one piece, published together. The id of the first, or 0 when there is
 * no room: they are then counted as lost. Any thread.
 */
uint32_t table_append(struct table *table, const void *rows, uint32_t n_rows);

/* The row of an id that table_append gave; NULL for 0. Any thread. */
void *table_row(const struct table *table, uint32_t id);

/* Fills in the header of a fresh file. */
void table_write_header(struct file_header *header, enum journal_file kind, size_t row_size,
			uint64_t capacity);

#endif
