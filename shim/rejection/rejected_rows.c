/*
 * rejected_rows.c - open the table, append to it.
 */
#include "rejection/rejected_rows.h"

#include <stdbool.h>

#include "record/host/cancellation.h"
#include "record/journal/bundle.h"
#include "record/journal/sequence.h"

/* It stays OPENING if it cannot be opened. */
enum table_state { TABLE_NONE, TABLE_OPENING, TABLE_OPEN };

static uint32_t table_state; /* atomic: enum table_state */

/* A thread that comes while the table is being opened goes without a row. */
static bool has_table(void)
{
	uint32_t state = TABLE_NONE;
	if (__atomic_compare_exchange_n(&table_state, &state, TABLE_OPENING, false,
					__ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
		int cancellation = cancellation_hold();
		state = bundle_open_late(JOURNAL_REJECTIONS) ? TABLE_OPENING : TABLE_OPEN;
		cancellation_restore(cancellation);
		/* Pairs with the acquire above, of the next one. */
		__atomic_store_n(&table_state, state, __ATOMIC_RELEASE);
	}
	return state == TABLE_OPEN;
}

void rejected_rows_mark(struct rejection_row *row)
{
	/* Release: a reader that finds a mark finds the row that it belongs to. */
	__atomic_store_n(&row->mark, (uint32_t)sequence_newest() + 1, __ATOMIC_RELEASE);
}

uint32_t rejected_rows_add(const struct rejection_row *row)
{
	struct rejection_row marked = *row;
	rejected_rows_mark(&marked);
	return has_table() ? table_append(bundle_table(JOURNAL_REJECTIONS), &marked, 1) : 0;
}

struct rejection_row *rejected_rows_get(uint32_t id)
{
	struct table *table = bundle_table(JOURNAL_REJECTIONS);
	return table_holds(table, id, 1) ? table_row(table, id) : NULL;
}
