/*
 * row_uses.h - tables whose rows are used again once what they describe has ended (counted rows,
 * see journal_uses.h). A row that was given back stays readable until n_kept others were, then the
 * longest given back is the next one's; in a full table, until it is needed.
 *
 * Concurrency: one lock guards the queues of all tables and the rewriting of their rows. It is
 * taken under the locks of functions, modules and Python codes; those of strings and tables are
 * taken under it. Readers take none: they look at a row's use.
 */
#ifndef CULPRIT_RECORD_ROW_USES_H
#define CULPRIT_RECORD_ROW_USES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"

struct row_uses {
	enum journal_file file;
	uint32_t n_kept;
	uint16_t use_offset; /* in a row, of the uint16_t that has its use... */
	uint8_t use_shift;   /* ...from this bit on */
	bool is_uncounted;   /* its ids are in no other row: it has none; `offset` and `shift` are 0
			      */
	/* Gives back what the last use of a row held: nobody can ask for it any more. Under the
	   lock. */
	void (*end)(uint32_t place, const void *row);
	uint16_t *given; /* places, a queue; ROW_ID_MAX + 1 of them */
	uint64_t n_given;
	uint64_t n_taken;
};

/*
 * Writes a row (of the table's row size) where it finds room; its use is filled in. The row's id,
 * or 0: no room, counted as lost. Any thread.
 */
uint32_t row_uses_add(struct row_uses *uses, const void *row);

/*
 * What the row describes has ended: the row may be used again, in its turn. Not twice for one
 * row_uses_add. Any thread.
 */
void row_uses_give(struct row_uses *uses, uint32_t id);

/*
 * From now on no row of any table is used again, nor does anybody still rewrite one: what the
 * verdict reads stays. What finds no free row is lost. The failure only.
 */
void row_uses_keep(void);

#endif
