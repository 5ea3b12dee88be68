/*
 * ring.c - append records to a thread's journal. Other files decide what is in a record.
 */
#include "record/journal/ring.h"

#include <string.h>

#include "base/hot.h"
#include "record/journal/table.h"

enum { RING_PIECE = 256 * 1024 };

int ring_open(struct ring *ring, const char *path, uint32_t slot, uint64_t n_records)
{
	size_t bytes = sizeof(struct file_header) + n_records * sizeof(struct journal_record);
	int error = store_open(&ring->store, path, bytes, RING_PIECE);
	if (error)
		return error;
	ring->slot = slot;
	ring->header = (struct file_header *)ring->store.base;
	ring->header->slot = slot;
	size_t room = ring->store.backed - sizeof(struct file_header);
	uint64_t capacity = room / sizeof(struct journal_record);
	ring->capacity = capacity < n_records ? capacity : n_records;
	table_write_header(ring->header, JOURNAL_RING, sizeof(struct journal_record),
			   ring->capacity);
	return 0;
}

/*
 * The ring is full at this size: add one more piece, or return false, and it wraps. A record's
 * index is its number modulo the capacity, so the capacity may grow only before the first wrap.
 */
static COLD bool grow(struct ring *ring)
{
	struct store *store = &ring->store;
	if (ring->next != ring->place ||
	    !store_back(store, store->backed + sizeof(struct journal_record)))
		return false;
	size_t room = store->backed - sizeof(struct file_header);
	ring->capacity = room / sizeof(struct journal_record);
	__atomic_store_n(&ring->header->capacity, ring->capacity, __ATOMIC_RELEASE);
	return true;
}

/*
 * Copy a whole record but for its commit, by vectors, which take half as many instructions as
 * words. A reader detects by the commit that it read meanwhile. It only needs the compiler to keep
 * the copy between the two stores of the commit, which both fences ensure. The thread sanitizer
 * requires atomic words.
 */
static inline void copy_words(struct journal_record *to, const struct journal_record *from)
{
#ifdef __SANITIZE_THREAD__
	for (size_t i = 1; i < sizeof(*to) / 8; i++)
		__atomic_store_n((uint64_t *)to + i, ((const uint64_t *)from)[i], __ATOMIC_RELAXED);
#else
	memcpy(&to->sequence, &from->sequence, sizeof(*to) - sizeof(to->commit));
#endif
}

struct journal_record *ring_newest(const struct ring *ring)
{
	if (!ring->header || ring->place == 0)
		return NULL;
	return (struct journal_record *)(ring->header + 1) + ring->place - 1;
}

READ_MOSTLY bool rings_are_frozen;

void rings_freeze(void)
{
	__atomic_store_n(&rings_are_frozen, true, __ATOMIC_RELAXED);
}

static COLD struct journal_record *refuse(struct ring *ring)
{
	__atomic_store_n(&ring->header->lost, ring->header->lost + 1, __ATOMIC_RELAXED);
	return NULL;
}

struct journal_record *ring_append(struct ring *ring, const struct journal_record *record)
{
	if (!ring->header)
		return NULL;
	bool is_at_end = UNLIKELY(ring->place == ring->capacity) && !grow(ring);
	if ((is_at_end || ring->next != ring->place) &&
	    __atomic_load_n(&rings_are_frozen, __ATOMIC_RELAXED))
		return refuse(ring);
	if (is_at_end)
		ring->place = 0;
	struct journal_record *rows = (struct journal_record *)(ring->header + 1);
	struct journal_record *row = &rows[ring->place++];
	__atomic_store_n(&row->commit, 0, __ATOMIC_RELAXED);
	/* No store below may become visible before commit = 0 does. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	copy_words(row, record);
	/* Pairs with the acquire load in view_record(). */
	__atomic_store_n(&row->commit, ++ring->next, __ATOMIC_RELEASE);
	return row;
}
