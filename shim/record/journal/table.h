/*
 * table.h - one file of the bundle as a growing array of rows (journal_format.h).
 *
 * Writers take the table's lock to append. Readers of other floors use header.n_rows, which is
 * raised with release order after the row is whole. The owner of the described object stores live
 * members of a published row atomically, without the lock.
 */
#ifndef CULPRIT_RECORD_TABLE_H
#define CULPRIT_RECORD_TABLE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "record/files/store.h"

/* The number of block sizes: one for each size up to 32 rows, then four per octave. */
enum { TABLE_BLOCK_SIZES = 32 + 4 * 27 };

struct table {
	struct store store;
	struct file_header *header; /* NULL until it is open: appended rows are lost */
	size_t row_size;
	bool is_turning; /* see journal_uses.h */
	/* Guards appending and the released blocks. Only the arena's lock is taken under it. */
	pthread_mutex_t lock;
	uint32_t free_blocks[TABLE_BLOCK_SIZES]; /* ids, 0 if empty */
	uint32_t *next_free;                     /* by id - 1; NULL before the first release */
};

/*
 * Open a table for `capacity` rows in the file `path`, NULL: memory. Return 0 or -errno; a table
 * that is not open accepts and returns no rows.
 */
int table_open(struct table *table, const char *path, enum journal_file kind, size_t row_size,
	       uint64_t capacity);

/*
 * Append n_rows rows in one piece, published together. Return the id of the first, or 0 if there is
 * no room: the rows then count as lost, unless the failure was before. Any thread.
 */
uint32_t table_append(struct table *table, const void *rows, uint32_t n_rows);

/*
 * Append a chain of rows, each of which refers to the one before it by a uint32_t at parent_offset.
 * This member becomes `parent` in the first row, and the predecessor's id in every other row. The
 * ids are consecutive. Return how many rows there was room for, and the first one's id in
 * *out_first. A row that finds no room counts as lost. Any thread.
 */
uint32_t table_append_chain(struct table *table, void *rows, uint32_t n_rows, size_t parent_offset,
			    uint32_t parent, uint32_t *out_first);

/*
 * As table_append(), for rows that are released later: append a block of n_rows or some more. The
 * additional rows are zero; with `rows` NULL, all rows are. A block that finds no room counts as
 * one lost row. Any thread.
 */
uint32_t table_append_block(struct table *table, const void *rows, uint32_t n_rows);

/*
 * Release a block of n_rows, to which no row refers any more. The next block of its size takes its
 * place. Any thread.
 */
void table_free_block(struct table *table, uint32_t id, uint32_t n_rows);

/*
 * True if the id can be that of n_rows rows. Use it for ids read from the table's own memory, which
 * is in a file that other processes may empty. Any thread.
 */
bool table_holds(const struct table *table, uint32_t id, uint32_t n_rows);

/* Return the number of rows that a block for n_rows takes. Any thread. */
uint32_t table_block_rows(uint32_t n_rows);

/* Count a row as lost that was rejected before it reached the table. Any thread. */
void table_count_lost(struct table *table);

/* True if one more row is sure to be rejected. Any thread. */
bool table_is_full(const struct table *table);

/* Announce to readers that rows are about to be used again. Under a lock of the caller's. */
void table_note_reuse(struct table *table);

/*
 * Return how often half of a turning table has been filled, from 0. After it changes, no earlier id
 * may be a parent of new rows. Any thread.
 */
uint64_t table_half_turns(const struct table *table);

/*
 * Freeze the tables: no thread may start to use a row again. Threads about to do so hold a lock.
 * For row_uses_freeze(). Any thread.
 */
void tables_freeze(void);
bool tables_are_frozen(void);

/* Return the row of an id from table_append(); NULL for 0. Any thread. */
void *table_row(const struct table *table, uint32_t id);

/* Fill in the header of a fresh file. */
void table_write_header(struct file_header *header, enum journal_file kind, size_t row_size,
			uint64_t capacity);

#endif
