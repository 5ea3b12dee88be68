/*
 * progress_note.h - progress_note_of(), inlined for launches in the usual case: the stream is
 * followed, and its tracker holds the one entry that is understood.
 */
#ifndef CULPRIT_RECORD_PROGRESS_NOTE_H
#define CULPRIT_RECORD_PROGRESS_NOTE_H

#include "base/hot.h"
#include "record/progress/progress_tracker.h"

/*
 * Rare paths, each as progress_note_of(); false: unknown. The driver names another object or
 * is distrusted; the submission's entry is stored elsewhere; or it is not of a kernel's launch.
 */
bool progress_note_stopped(struct progress_tracker *tracker);
bool progress_note_elsewhere(struct progress_tracker *tracker, uint64_t ordinal,
			     struct journal_record *row);
bool progress_note_other(struct progress_tracker *tracker, uint32_t kind, uint64_t ordinal,
			 struct journal_record *row);

/*
 * Make another channel the stream's, because its object differs from before. Called for a kernel or
 * for other work. False: the object is no channel's.
 */
bool progress_note_channel(struct progress_tracker *tracker, uint64_t object, bool is_kernel);

/*
 * Return the id of an unexpected kernel object's state, for the submission of `row` (may be NULL);
 * 0: unknown.
 */
uint32_t progress_note_state(struct progress_tracker *tracker, uint64_t kernel,
			     const struct journal_record *row);

static inline uint32_t progress_note_state_of(struct progress_tracker *tracker, uint64_t kernel,
					      const struct journal_record *row)
{
	const struct progress_state *state = &tracker->states[tracker->next_state];
	if (UNLIKELY(state->kernel != kernel))
		return progress_note_state(tracker, kernel, row);
	tracker->next_state = (tracker->next_state + 1) % STREAM_STATES;
	return state->id;
}

/* Store the channel last, which makes the rest valid: the report may be reading the row. */
static inline void progress_note_row(struct journal_record *row, uint32_t channel,
				     const struct progress_newest *now)
{
	struct record_progress *progress = &row->progress;
	uint32_t turn = now->state ? (uint32_t)now->kernel.value + 1 : 0;
	__atomic_store_n(&progress->payload, now->payload, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->state, now->state, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->turn, turn, __ATOMIC_RELAXED);
	__atomic_store_n(&progress->channel, channel, __ATOMIC_RELEASE);
}

/* Remember the newest if it is a kernel: other work comes after it now. */
static inline void progress_note_keep_kernel(struct progress_tracker *tracker)
{
	const struct progress_newest *newest = &tracker->newest;
	if (!newest->kernel.object)
		return;
	progress_newest_put(&tracker->newest_kernel, newest);
	__atomic_store_n(&tracker->newest_kernel.channel, newest->channel, __ATOMIC_RELAXED);
}

/* `where` names the channel and the payload there; `kernel` is 0 for other work. */
static inline __attribute__((always_inline)) bool
progress_note_pairs(struct progress_tracker *tracker, struct progress_pair where,
		    struct progress_pair kernel, bool is_kernel, uint64_t ordinal,
		    struct journal_record *row)
{
	/* After the read: a thread that gave the stream up may have submitted what was read. */
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (UNLIKELY(__atomic_load_n(&tracker->object, __ATOMIC_RELAXED) & PROGRESS_GIVEN_UP))
		return progress_note_stopped(tracker);
	if (UNLIKELY(where.value - 1 >= UINT32_MAX))
		return false;
	if (LIKELY(where.object == tracker->channel_object)) {
		/* The same number again: nothing was submitted, as for a copy of no bytes. */
		if (UNLIKELY((uint32_t)where.value == tracker->newest.payload))
			return false;
		if (!is_kernel)
			progress_note_keep_kernel(tracker);
	} else if (!progress_note_channel(tracker, where.object, is_kernel)) {
		return false;
	}
	uint32_t state = is_kernel ? progress_note_state_of(tracker, kernel.object, row) : 0;
	const struct progress_newest now = {
		.payload = (uint32_t)where.value, .kernel = kernel, .state = state};
	progress_newest_put(&tracker->newest, &now);
	__atomic_store_n(&tracker->newest.ordinal, ordinal, __ATOMIC_RELEASE);
	if (LIKELY(row))
		progress_note_row(row, tracker->channel_id, &now);
	return true;
}

/* The tracker holds the one entry. */
static inline __attribute__((always_inline)) bool
progress_note_entry(struct progress_tracker *tracker, uint64_t ordinal, struct journal_record *row)
{
	uint32_t kind = tracker->entry->kind;
	if (UNLIKELY(kind != ENTRY_KERNEL))
		return progress_note_other(tracker, kind, ordinal, row);
	return progress_note_pairs(tracker, progress_pair_read(&tracker->entry->pairs[1]),
				   progress_pair_read(&tracker->entry->pairs[0]), true, ordinal,
				   row);
}

/*
 * The driver has accepted the submission with this ordinal: fill in its row (NULL: none). True: its
 * channel is known. Under the stream's lock.
 */
static inline __attribute__((always_inline)) bool
progress_note_of(struct progress_tracker *tracker, uint64_t ordinal, struct journal_record *row)
{
	if (UNLIKELY(!tracker->place) && !progress_tracker_follow(tracker, row))
		return false;
	/* Another thread may give the stream up meanwhile. */
	if (UNLIKELY(*tracker->place != __atomic_load_n(&tracker->object, __ATOMIC_RELAXED)) ||
	    UNLIKELY(progress_refused()))
		return progress_note_stopped(tracker);
	/* Readers ignore the rest while this is 0. */
	__atomic_store_n(&tracker->newest.ordinal, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	if (UNLIKELY(!progress_tracker_has_entry(tracker)))
		return progress_note_elsewhere(tracker, ordinal, row);
	return progress_note_entry(tracker, ordinal, row);
}

#endif
