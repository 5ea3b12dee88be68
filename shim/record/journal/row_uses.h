/*
 * row_uses.h - tables whose rows are used again after the described object has finished (counted
 * rows, see journal_uses.h). A released row stays readable until n_kept others are released; then
 * the oldest released row is reused. In a full table it stays readable until it is needed.
 *
 * Concurrency: one lock guards the queues of all tables and the rewriting of their rows. It is
 * taken under the locks of functions, modules and Python codes; the locks of strings and tables are
 * taken under it. Readers take no lock: they check a row's use.
 */
#ifndef CULPRIT_RECORD_ROW_USES_H
#define CULPRIT_RECORD_ROW_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"

struct row_uses {
	enum journal_file file;
	uint32_t n_kept;
	uint16_t use_offset; /* offset in a row of the uint16_t with its use... */
	uint8_t use_shift;   /* ...which starts at this bit */
	bool is_uncounted; /* no other row refers to its ids: it has no use; offset and shift are 0
			    */
	/* Release what the last use of a row held, which can no longer be asked for. Under the
	   lock. */
	void (*end)(uint32_t place, const void *row);
	uint16_t *given; /* indexes of released rows, a queue of ROW_ID_MAX + 1 */
	uint64_t n_given;
	uint64_t n_taken;
};

/*
 * Write a row, of the table's row size, into a free place, and fill in its use. Return the row's
 * id, or 0 if there is no room, which counts as lost. Any thread.
 */
uint32_t row_uses_add(struct row_uses *uses, const void *row);

/*
 * The described object has finished: release the row for reuse in its turn. Once for each
 * row_uses_add(). Any thread.
 */
void row_uses_give(struct row_uses *uses, uint32_t id);

/*
 * Freeze all tables: after this call no row is used again or still being rewritten, so the rows
 * that the verdict reads stay. A row that finds no free place is lost. At the failure only.
 */
void row_uses_freeze(void);

#endif
