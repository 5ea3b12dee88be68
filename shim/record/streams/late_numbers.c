/*
 * late_numbers.c - keeping and giving the numbers that are owed.
 */
#include "record/streams/late_numbers.h"

#include <stddef.h>

#include "base/journal_format.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"

static uint32_t n_owed; /* atomic: of all threads */

/* Release: who finds fewer finds what was done about the others. */
static void drop(uint32_t n)
{
	(void)__atomic_fetch_sub(&n_owed, n, __ATOMIC_RELEASE);
}

static uint32_t life_of(const struct stream *stream)
{
	return __atomic_load_n(&stream->n_lives, __ATOMIC_RELAXED);
}

void late_numbers_owe(struct late_numbers *late, uint32_t tid, struct stream *stream,
		      struct journal_record *row)
{
	if (!late || late->n == LATE_NUMBERS) {
		streams_note_lost();
		return;
	}
	(void)__atomic_fetch_add(&n_owed, 1, __ATOMIC_RELAXED);
	late->tid = tid;
	late->of[late->n++] = (struct late_number){.stream = stream,
						   .life = life_of(stream),
						   .row = row,
						   .sequence = row ? row->sequence : 0};
}

/* Under the stream's lock. None is given in another life, nor after the failure. */
static void number(const struct late_number *owed)
{
	struct stream *stream = owed->stream;
	struct journal_record *row = owed->row;
	uint64_t newest = stream->row->submitted;
	if (row && row->sequence != owed->sequence)
		row = NULL;
	if (owed->life != life_of(stream) || streams_number_late(stream, row) == newest)
		streams_note_lost();
}

static bool give(const struct late_number *owed, uint32_t tid, bool may_wait)
{
	bool is_locked = may_wait ? streams_lock(owed->stream, tid)
				  : streams_lock_after(owed->stream, tid, 0);
	if (!is_locked)
		return false;
	number(owed);
	streams_unlock(owed->stream, tid);
	return true;
}

static bool give_all(struct late_numbers *late, bool may_wait)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < late->n; i++) {
		if (!give(&late->of[i], late->tid, may_wait))
			late->of[kept++] = late->of[i];
	}
	drop(late->n - kept);
	late->n = kept;
	return kept == 0;
}

bool late_numbers_give(struct late_numbers *late)
{
	return give_all(late, false);
}

void late_numbers_end(struct late_numbers *late)
{
	if (give_all(late, true))
		return;
	streams_note_lost();
	drop(late->n);
	late->n = 0;
}

bool late_numbers_are_owed(void)
{
	return __atomic_load_n(&n_owed, __ATOMIC_ACQUIRE) != 0;
}
