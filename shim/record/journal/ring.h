/*
 * ring.h - the journal of one thread: a file of struct journal_record that grows to its capacity
 * and then wraps.
 *
 * One thread writes a ring at a time; any thread may read it at any moment by the commit words
 * (view_record). A record is stored between commit = 0 and the final release store. A reader that
 * sees the same commit before and after its copy has a whole record.
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
	struct file_header *header; /* NULL if closed: appended records are dropped */
	uint64_t next;              /* number of the next record */
	uint64_t place;             /* index of its row: next modulo capacity, or the capacity */
	uint64_t capacity;          /* the owner's copy of header->capacity */
	uint32_t slot;
	struct store store;
	struct journal_record draft; /* a record that has no row yet */
};

/* Open ring `slot` for up to n_records in the file `path`, NULL: memory. Return 0 or -errno. */
int ring_open(struct ring *ring, const char *path, uint32_t slot, uint64_t n_records);

/*
 * Append a copy of *record, whose commit is ignored. Return its row, for updating live members, or
 * NULL if the ring is closed or frozen. The row is valid until the ring wraps over it. Only the
 * owner writes, so updates before its next append are safe. Ring's owner only.
 */
struct journal_record *ring_append(struct ring *ring, const struct journal_record *record);

/* Written once, by rings_freeze(). Relaxed: a record more or less around it does no harm. */
extern __attribute__((visibility("hidden"))) bool rings_are_frozen;

/*
 * Append without a copy. ring_begin() returns where to write the next record, except its commit and
 * live members, and ring_end() publishes it. The row holds old bytes at first. A row that is
 * started but never published does not count; the next ring_begin() reuses it. So end a record
 * before you begin another. If no row is free, the record is written elsewhere and then copied.
 * Ring's owner only.
 */
static inline struct journal_record *ring_begin(struct ring *ring)
{
#ifndef __SANITIZE_THREAD__ /* which requires atomic words: see ring_append() */
	/* A frozen ring still accepts records in its first round. */
	if (LIKELY(ring->place != ring->capacity) &&
	    (LIKELY(!__atomic_load_n(&rings_are_frozen, __ATOMIC_RELAXED)) ||
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
	if (UNLIKELY(row == &ring->draft))
		return ring_append(ring, row);
	uint64_t next = ring->next + 1;
	/* Pairs with the acquire load in view_record(). */
	__atomic_store_n(&row->commit, next, __ATOMIC_RELEASE);
	/* Keep this after the release store, or the compiler vectorises both increments and loads a
	 * constant from a cold line. */
	ring->next = next;
	ring->place++;
	return row;
}

/* Return the newest record, or NULL. Ring's owner only. */
struct journal_record *ring_newest(const struct ring *ring);

/*
 * Prefetch the next two rows. They are needed soon, and in no cache, since they were written a
 * whole ring ago. Bytes past the last row may be prefetched as well. Always inline: gcc treats a
 * function that only prefetches as one that does nothing. Ring's owner only.
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
 * Freeze all rings: from now on none overwrites its records. A record that finds no free row counts
 * as lost, and ring_append() returns NULL. For use after the failure: its history is worth more
 * than later calls of the host. Any thread.
 */
void rings_freeze(void);

#endif
