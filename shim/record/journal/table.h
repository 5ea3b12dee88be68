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

#include "base/journal_format.h"
#include "record/files/store.h"

/* Of blocks: one for each size up to 32 rows, then four to an octave. */
enum { TABLE_BLOCK_SIZES = 32 + 4 * 27 };

struct table {
	struct store store;
	struct file_header *header; /* NULL: closed, appends are lost */
	size_t row_size;
	bool is_turning; /* see journal_uses.h */
	/* Guards appending, and the blocks given back. The arena's alone is taken under it. */
	pthread_mutex_t lock;
	uint32_t free_blocks[TABLE_BLOCK_SIZES]; /* ids, 0 none */
	uint32_t *next_free;                     /* by id - 1; NULL: none was ever given back */
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
 * no room: they are then counted as lost, until the failure. Any thread.
 */
uint32_t table_append(struct table *table, const void *rows, uint32_t n_rows);

/*
 * Appends a chain of rows, each of which refers to the one before it: the member at parent_offset,
 * a uint32_t, of the first row becomes `parent`, that of each other one its predecessor's id. The
 * ids are consecutive. Returns how many rows there was room for, and the first one's id in
 * *out_first; one that finds no room is counted as lost. Any thread.
 */
uint32_t table_append_chain(struct table *table, void *rows, uint32_t n_rows, size_t parent_offset,
			    uint32_t parent, uint32_t *out_first);

/*
 * The same as table_append() for what is given back in the end: a block, of n_rows or some more.
 * The further rows are zero, as are all with `rows` NULL. What finds no room counts as one. Any
 * thread.
 */
uint32_t table_append_block(struct table *table, const void *rows, uint32_t n_rows);

/*
 * Gives back a block of so many rows: the next one of its size takes its place. Nobody refers to it
 * any more. Any thread.
 */
void table_free_block(struct table *table, uint32_t id, uint32_t n_rows);

/*
 * Can the id be that of so many rows? For ids that were read from the table's own memory, which is
 * a file's that others may empty. Any thread.
 */
bool table_holds(const struct table *table, uint32_t id, uint32_t n_rows);

/* The rows that a block of n_rows takes. Any thread. */
uint32_t table_block_rows(uint32_t n_rows);

/* Counts what was refused before it came to the table. Any thread. */
void table_count_lost(struct table *table);

/* Is one more row sure to be refused? Any thread. */
bool table_is_full(const struct table *table);

/* Rows are about to be used again: tells readers. Under a lock of the caller's. */
void table_note_reuse(struct table *table);

/*
 * In a turning table: how often half of it has been filled, from 0. When that changes, no id from
 * before may be a parent of new rows. Any thread.
 */
uint64_t table_half_turns(const struct table *table);

/*
 * From now on nobody begins to use a row again; who is about to, does so under a lock. For
 * row_uses_keep(). Any thread.
 */
void tables_keep(void);
bool tables_are_kept(void);

/* The row of an id that table_append gave; NULL for 0. Any thread. */
void *table_row(const struct table *table, uint32_t id);

/* Fills in the header of a fresh file. */
void table_write_header(struct file_header *header, enum journal_file kind, size_t row_size,
			uint64_t capacity);

#endif
