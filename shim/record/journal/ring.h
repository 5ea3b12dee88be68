/*
 * ring.h - the journal of one thread: a file of struct journal_record that grows to its capacity
 * and then wraps.
 *
 * One thread writes a ring at a time; anybody may read it at any moment through the commit words
 * (view_record). A record's bytes are stored between commit = 0 and the final release store, so
 * that a reader that sees the same commit word before and after its copy has a whole record.
 */
#ifndef CULPRIT_RECORD_RING_H
#define CULPRIT_RECORD_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hot.h"
#include "base/journal_format.h"
#include "record/files/store.h"

struct ring {
	struct file_header *header; /* NULL: closed, appends vanish */
	uint64_t next;              /* number of the next record */
	uint64_t place;             /* its row: next modulo capacity, or the capacity itself */
	uint64_t capacity;          /* the owner's copy of header->capacity */
	uint32_t slot;
	struct store store;
	struct journal_record draft; /* of a record that has no row yet */
};

/* Opens ring `slot` for up to n_records in the file `path` (NULL: memory). 0 or -errno. */
int ring_open(struct ring *ring, const char *path, uint32_t slot, uint64_t n_records);

/*
 * Appends a copy of *record, whose commit is ignored. Returns where it stands, for the live
 * members, or NULL when the ring is closed or kept. Valid until the ring wraps over it: the owner
 * alone writes, so a caller that updates it before its next append is safe. Ring's owner only.
 */
struct journal_record *ring_append(struct ring *ring, const struct journal_record *record);

/* Written once, by rings_keep(). Relaxed: a record more or less from before it does no harm. */
extern __attribute__((visibility("hidden"))) bool rings_are_kept;

/*
 * The same without the copy: where the next record is to be written, the commit and what it says
 * later excepted, and its end. What lies there is old. A row that is begun and not ended, by
 * whatever comes between, is none: the next record begins there anew, so one that is begun is to be
 * ended before another is. Where there is no row at once it is written elsewhere and then copied.
 * Ring's owner only.
 */
static inline struct journal_record *ring_begin(struct ring *ring)
{
#ifndef __SANITIZE_THREAD__ /* which wants words that are atomic: see ring_append() */
	/* Those that are kept go on in their first round. */
	if (USUALLY(ring->place != ring->capacity) &&
	    (USUALLY(!__atomic_load_n(&rings_are_kept, __ATOMIC_RELAXED)) ||
	     ring->next == ring->place)) {
		struct journal_record *row =
			(struct journal_record *)(ring->header + 1) + ring->place;
		__atomic_store_n(&row->commit, 0, __ATOMIC_RELAXED);
		/* No store below may become visible before commit = 0 does. */
		__atomic_thread_fence(__ATOMIC_RELEASE);
		return row;
	}
#endif
	return &ring->draft;
}
static inline struct journal_record *ring_end(struct ring *ring, struct journal_record *row)
{
	if (!USUALLY(row != &ring->draft))
		return ring_append(ring, row);
	uint64_t next = ring->next + 1;
	/* Pairs with the acquire load in view_record(). */
	__atomic_store_n(&row->commit, next, __ATOMIC_RELEASE);
	/* Behind it, or the compiler adds to both at once, with a constant from far away. */
	ring->next = next;
	ring->place++;
	return row;
}

/* The newest record, or NULL. Ring's owner only. */
struct journal_record *ring_newest(const struct ring *ring);

/*
 * Asks for the next two rows: they are in no cache, since they were written a whole ring ago, and
 * are needed soon. What lies behind the last one may be asked for as well. Always in line: gcc
 * takes a function that does nothing else for one that does nothing. Ring's owner only.
 */
static inline __attribute__((always_inline)) void ring_prefetch(const struct ring *ring)
{
	const size_t row = sizeof(struct journal_record);
	const char *place = (const char *)(ring->header + 1) + ring->place * row;
#pragma GCC unroll 4
	for (size_t at = 0; at < 2 * row; at += row / 2)
		__builtin_prefetch(place + at, 1);
}

/*
 * From now on no ring overwrites what it holds: a record that finds no free row is counted as lost,
 * and ring_append gives NULL. For after the failure: what led to it is worth more than what the
 * host still tries. Any thread.
 */
void rings_keep(void);

#endif
