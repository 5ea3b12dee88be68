/*
 * whole_arguments.c - assign the rows by turns. A row has one writer at a time. If it is taken, as
 * after a thread that ended while writing it, a launch is not kept.
 */
#include "record/objects/whole_arguments.h"

#include <stddef.h>

#include "base/hot.h"
#include "record/journal/bundle.h"
#include "record/objects/functions.h"

uint64_t whole_arguments_turn;
READ_MOSTLY struct whole_arguments_row *whole_arguments_rows;

/* The first turn of each row makes it. NULL: no room, or another thread is making it. */
static COLD struct whole_arguments_row *make_row(struct table *table)
{
	static const struct whole_arguments_row empty;
	return table_row(table, table_append(table, &empty, 1));
}

/* Return the row of a turn while some rows are not made. */
static COLD struct whole_arguments_row *find_row(uint64_t turn)
{
	struct table *table = bundle_table(JOURNAL_WHOLE_ARGUMENTS);
	if (turn < N_WHOLE_ARGUMENTS)
		return make_row(table);
	uint32_t id = (uint32_t)(turn % N_WHOLE_ARGUMENTS) + 1;
	const struct file_header *header = __atomic_load_n(&table->header, __ATOMIC_ACQUIRE);
	uint64_t n_rows = header ? __atomic_load_n(&header->n_rows, __ATOMIC_ACQUIRE) : 0;
	/* Pairs with the acquire load in next_row(). A table's rows never move. */
	if (n_rows == N_WHOLE_ARGUMENTS)
		__atomic_store_n(&whole_arguments_rows, table_row(table, 1), __ATOMIC_RELEASE);
	return id <= n_rows ? table_row(table, id) : NULL;
}

static inline struct whole_arguments_row *next_row(void)
{
	uint64_t turn = __atomic_fetch_add(&whole_arguments_turn, 1, __ATOMIC_RELAXED);
	struct whole_arguments_row *rows = __atomic_load_n(&whole_arguments_rows, __ATOMIC_ACQUIRE);
	return LIKELY(rows) ? &rows[turn % N_WHOLE_ARGUMENTS] : find_row(turn);
}

/* Zero the gaps between parameters, as functions_copy_arguments() requires. */
static inline void clear_gaps(const struct function *function, struct whole_arguments_row *row)
{
	size_t end = 0;
	for (uint32_t i = 0; i < function->n_parameters; i++) {
		const struct function_parameter *place = &function->parameters[i];
		for (; end < place->offset && end < sizeof(row->bytes); end++)
			row->bytes[end] = 0;
		end = (size_t)place->offset + place->size;
	}
}

HOT void whole_arguments_keep(const struct function *function, void *const *parameters,
			      void *const *extra, uint32_t tid, uint64_t time_ns)
{
	struct whole_arguments_row *row = next_row();
	if (!row || __atomic_exchange_n(&row->is_taken, 1, __ATOMIC_ACQUIRE))
		return;
	/* Readers ignore the row while this is 0. */
	__atomic_store_n(&row->time_ns, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	row->tid = tid;
	clear_gaps(function, row);
	size_t copied = 0;
	(void)functions_copy_arguments(function, parameters, extra, row->bytes, sizeof(row->bytes),
				       &copied);
	row->size = (uint32_t)copied;
	/* Pairs with the acquire load in view_whole_arguments(). */
	__atomic_store_n(&row->time_ns, time_ns, __ATOMIC_RELEASE);
	__atomic_store_n(&row->is_taken, 0, __ATOMIC_RELEASE);
}
