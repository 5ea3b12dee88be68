/*
 * late_numbers.c - keep owed numbers, and assign them.
 */
#include "record/streams/late_numbers.h"

#include <stddef.h>

#include "base/journal_format.h"
#include "record/streams/stream_lock.h"
#include "record/streams/stream_rows.h"

/*
 * Publish the oldest owed one: after the rows of those that it leaves out are written, and before
 * the thread's next record, by which the ring may overwrite the oldest.
 */
static void tell(const struct late_numbers *late)
{
	uint64_t oldest = late->n > 0 ? late->of[0].sequence : 0;
	if (late->told)
		__atomic_store_n(late->told, oldest, __ATOMIC_RELEASE);
}

static uint32_t life_of(const struct stream *stream)
{
	return __atomic_load_n(&stream->n_lives, __ATOMIC_RELAXED);
}

void late_numbers_owe(struct late_numbers *late, uint32_t tid, struct stream *stream,
		      struct journal_record *row, uint64_t *told)
{
	if (!late || !row || late->n == LATE_NUMBERS) {
		streams_note_lost();
		return;
	}
	late->tid = tid;
	late->told = told;
	late->of[late->n++] = (struct late_number){
		.stream = stream, .life = life_of(stream), .row = row, .sequence = row->sequence};
	tell(late);
}

/* Under the stream's lock. Skip another life's stream. False: after the failure, no numbers. */
static bool number(const struct late_number *owed)
{
	struct stream *stream = owed->stream;
	struct journal_record *row = owed->row->sequence == owed->sequence ? owed->row : NULL;
	uint64_t newest = stream->row->submitted;
	if (owed->life == life_of(stream))
		return streams_number_late(stream, row) != newest;
	streams_note_lost();
	return true;
}

static bool give(const struct late_number *owed, uint32_t tid, bool may_wait)
{
	bool is_locked = may_wait ? streams_lock(owed->stream, tid)
				  : streams_lock_after(owed->stream, tid, 0);
	if (!is_locked)
		return false;
	bool is_given = number(owed);
	streams_unlock(owed->stream, tid);
	return is_given;
}

static bool give_all(struct late_numbers *late, bool may_wait)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < late->n; i++) {
		if (!give(&late->of[i], late->tid, may_wait))
			late->of[kept++] = late->of[i];
	}
	late->n = kept;
	tell(late);
	return kept == 0;
}

bool late_numbers_give(struct late_numbers *late)
{
	return give_all(late, false);
}

/* The ring's next owner is another thread, which overwrites what it publishes about ours. */
void late_numbers_end(struct late_numbers *late)
{
	if (give_all(late, true))
		return;
	streams_note_lost();
	late->n = 0;
}
