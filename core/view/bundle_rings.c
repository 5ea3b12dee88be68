/*
 * bundle_rings.c - checked access to the records of a bundle's rings. Their threads may still
 * write.
 */
#include <string.h>

#include "view/bundle_view.h"
#include "view/bundle_words.h"

enum { RECORD_WORDS = sizeof(struct journal_record) / sizeof(uint64_t) };
static_assert(RECORD_WORDS * sizeof(uint64_t) == sizeof(struct journal_record),
	      "a record is whole words");

bool view_record(const struct bundle_view *view, uint32_t slot, uint64_t position,
		 struct journal_record *out)
{
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	if (!ring || position >= ring->n_rows)
		return false;
	const uint64_t *row =
		(const uint64_t *)(const void *)(ring->first + (size_t)position * ring->row_size);
	uint64_t words[RECORD_WORDS];
	view_copy_words(words, row, RECORD_WORDS);
	if (words[0] == 0 || (words[0] - 1) % ring->capacity != position ||
	    __atomic_load_n(row, __ATOMIC_RELAXED) != words[0])
		return false;
	memcpy(out, words, sizeof(*out));
	return true;
}

static uint64_t load_commit(const struct view_rows *ring, uint64_t position)
{
	const void *row = ring->first + (size_t)position * ring->row_size;
	return view_live(row);
}

/* A row that is being written looks like one that was never written, so check its neighbour too. */
static bool is_written(const struct view_rows *ring, uint64_t position)
{
	return load_commit(ring, position) != 0 ||
	       (position + 1 < ring->n_rows && load_commit(ring, position + 1) != 0);
}

uint64_t view_written(const struct bundle_view *view, uint32_t slot)
{
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	uint64_t low = 0;
	uint64_t high = ring ? ring->n_rows : 0;
	if (high >= 2 && is_written(ring, high - 2))
		return high;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (is_written(ring, middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t view_oldest(const struct bundle_view *view, uint32_t slot)
{
	uint64_t n_written = view_written(view, slot);
	const struct view_rows *ring = slot < view->n_rings ? &view->rings[slot] : NULL;
	uint64_t newest = 0;
	uint64_t after_newest = 0;
	if (!ring || n_written < ring->n_rows)
		return 0;
	for (uint64_t i = 0; i < ring->n_rows; i++) {
		uint64_t commit = load_commit(ring, i);
		if (commit > newest && (commit - 1) % ring->capacity == i) {
			newest = commit;
			after_newest = i + 1;
		}
	}
	/* A ring that has not wrapped has no old records after its newest one. */
	return newest > ring->capacity && after_newest < ring->n_rows ? after_newest : 0;
}

/* Copy the argument bytes from the rows before the launch. */
static size_t ring_arguments(const struct bundle_view *view, uint32_t slot,
			     const struct journal_record *record, void *out, size_t capacity)
{
	uint64_t number = record->commit - 1;
	uint64_t n_rows = record->launch.n_argument_rows;
	uint64_t n_places = slot < view->n_rings ? view->rings[slot].capacity : 0;
	size_t wanted = record->launch.argument_bytes;
	size_t n_copied = 0;
	if (record->commit == 0 || n_rows > number || n_rows >= n_places)
		return 0;
	if (wanted > capacity)
		wanted = capacity;
	for (uint64_t i = number - n_rows; i < number && n_copied < wanted; i++) {
		size_t n = wanted - n_copied < RECORD_PAYLOAD ? wanted - n_copied : RECORD_PAYLOAD;
		struct journal_record row;
		if (!view_record(view, slot, i % n_places, &row) || row.commit != i + 1 ||
		    row.kind != RECORD_ARGUMENTS)
			break;
		memcpy((unsigned char *)out + n_copied, row.argument_bytes, n);
		n_copied += n;
	}
	return n_copied;
}

size_t view_arguments(const struct bundle_view *view, uint32_t slot,
		      const struct journal_record *record, void *out, size_t capacity)
{
	bool is_cut = record->flags & RECORD_ARGUMENTS_CUT;
	size_t n_whole = is_cut ? view_whole_arguments(view, record, out, capacity) : 0;
	return n_whole > 0 ? n_whole : ring_arguments(view, slot, record, out, capacity);
}
