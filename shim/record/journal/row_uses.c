/*
 * row_uses.c - queues of rows for reuse, and the rewriting of these rows.
 */
#include "record/journal/row_uses.h"

#include <pthread.h>
#include <string.h>

#include "record/journal/bundle.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* see the header */

static uint16_t *use_word(const struct row_uses *uses, void *row)
{
	return (uint16_t *)(void *)((char *)row + uses->use_offset);
}

/* Return the word with the use replaced; its other bits are the row's. */
static uint16_t with_use(const struct row_uses *uses, uint16_t word, uint32_t use)
{
	uint16_t others = (uint16_t)((1u << uses->use_shift) - 1);
	return (uint16_t)((word & others) | use << uses->use_shift);
}

static bool is_waiting(const struct row_uses *uses, uint64_t n_kept)
{
	return uses->n_given - uses->n_taken > n_kept && !tables_are_frozen();
}

/* Mark the row as having no use, for readers that come meanwhile. */
static void mark_rewritten(const struct row_uses *uses, uint16_t *word)
{
	if (!uses->is_uncounted)
		__atomic_store_n(word, with_use(uses, *word, ROW_USE_NONE), __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

/*
 * A reader that finds the old use finds the old row, and one that finds the new use finds the new
 * row. In between the row has no use.
 */
static uint32_t rewrite(struct row_uses *uses, const void *row)
{
	struct table *table = bundle_table(uses->file);
	uint32_t place = uses->given[uses->n_taken++ % (ROW_ID_MAX + 1)];
	unsigned char *to = table_row(table, place);
	uint16_t *word = use_word(uses, to);
	uint32_t use = uses->is_uncounted ? 0 : ((uint32_t)*word >> uses->use_shift) + 1;
	uint16_t new_word = 0;
	memcpy(&new_word, (const char *)row + uses->use_offset, sizeof(new_word));
	table_note_reuse(table);
	mark_rewritten(uses, word);
	uses->end(place, to);
	memcpy(to, row, uses->use_offset);
	size_t behind = uses->use_offset + sizeof(*word);
	memcpy(to + behind, (const unsigned char *)row + behind, table->row_size - behind);
	if (!uses->is_uncounted)
		new_word = with_use(uses, new_word, use);
	/* Pairs with the acquire load in use_of() of bundle_view.c. */
	__atomic_store_n(word, new_word, __ATOMIC_RELEASE);
	return row_id_of(place, use);
}

static uint32_t add_locked(struct row_uses *uses, const void *row)
{
	struct table *table = bundle_table(uses->file);
	bool is_full = table_is_full(table);
	if (table->header && is_waiting(uses, is_full ? 0 : uses->n_kept))
		return rewrite(uses, row);
	return table_append(table, row, 1);
}

uint32_t row_uses_add(struct row_uses *uses, const void *row)
{
	pthread_mutex_lock(&lock);
	uint32_t id = add_locked(uses, row);
	pthread_mutex_unlock(&lock);
	return id;
}

void row_uses_give(struct row_uses *uses, uint32_t id)
{
	if (!id || row_id_use(id) == ROW_USE_MAX)
		return;
	pthread_mutex_lock(&lock);
	uses->given[uses->n_given++ % (ROW_ID_MAX + 1)] = (uint16_t)row_id_place(id);
	pthread_mutex_unlock(&lock);
}

/* A thread with the lock may be about to reuse something; a later holder finds the flag. */
static void pass(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

void row_uses_freeze(void)
{
	tables_freeze();
	pass(&lock);
	for (int kind = 0; kind < N_JOURNAL_FILES; kind++) {
		struct table *table = bundle_table((enum journal_file)kind);
		if (__atomic_load_n(&table->header, __ATOMIC_ACQUIRE))
			pass(&table->lock);
	}
}
