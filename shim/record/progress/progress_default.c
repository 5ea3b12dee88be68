/*
 * progress_default.c - find what moves with a default stream.
 */
#include "record/progress/progress_default.h"

enum { CONTEXT_SIZE = 0x1400, PIECE = 0x100 };

/* Return the payload of the kernel that the tracker at a place shows; 0: it shows none. */
static uint64_t kernel_at(struct own_memory *memory, const struct progress_layout *layout,
			  uintptr_t place)
{
	uint64_t tracker = own_memory_word(memory, place);
	struct progress_entry entry;
	if (!tracker || !progress_layout_entry(layout, memory, tracker, &entry) ||
	    entry.kind != ENTRY_KERNEL || entry.pairs[1].value >> 32)
		return 0;
	return entry.pairs[1].value;
}

static void add(struct progress_default *sought, struct own_memory *memory,
		const struct progress_layout *layout, uint64_t object)
{
	uintptr_t place = object + layout->tracker;
	sought->payloads[sought->n] = kernel_at(memory, layout, place);
	sought->places[sought->n++] = place;
}

/* Add the streams among the words of a piece. */
static void add_named(struct progress_default *sought, struct own_memory *memory,
		      const struct progress_layout *layout, uint64_t tracker_class,
		      const uint64_t words[PIECE / 8])
{
	for (int i = 0; i < PIECE / 8 && sought->n < PROGRESS_LIST_MAX; i++) {
		if (progress_list_is_stream(memory, layout, tracker_class, words[i]))
			add(sought, memory, layout, words[i]);
	}
}

static void begin_legacy(struct progress_default *sought, struct own_memory *memory,
			 const struct progress_layout *layout, uint64_t tracker_class,
			 uint64_t context)
{
	*sought = (struct progress_default){.n_needed = LEGACY_ROUNDS};
	for (uint64_t at = 0; at < CONTEXT_SIZE; at += PIECE) {
		uint64_t words[PIECE / 8];
		if (!own_memory_read(memory, context + at, words, PIECE))
			return;
		add_named(sought, memory, layout, tracker_class, words);
	}
}

static void begin_own(struct progress_default *sought, struct own_memory *memory,
		      const struct progress_layout *layout, const struct counter_map *counter_map)
{
	uint64_t objects[PROGRESS_LIST_MAX];
	int n = progress_list_read(memory, layout, counter_map->tracker_class,
				   counter_map->first_stream, objects);
	*sought = (struct progress_default){.n_needed = 1};
	for (int i = 0; i < n; i++)
		add(sought, memory, layout, objects[i]);
}

void progress_default_begin(struct progress_default *sought, struct own_memory *memory,
			    const struct progress_layout *layout,
			    const struct counter_map *counter_map, uint64_t context)
{
	if (context)
		begin_legacy(sought, memory, layout, counter_map->tracker_class, context);
	else
		begin_own(sought, memory, layout, counter_map);
}

/* True if the tracker was met before. It may be named twice: a primary context also names that of
 * its legacy stream in another object (H200, driver 580.159). */
static bool is_met(const struct progress_default *sought, int n, struct own_memory *memory,
		   uintptr_t place)
{
	uint64_t tracker = own_memory_word(memory, place);
	for (int i = 0; i < n; i++) {
		if (own_memory_word(memory, sought->places[i]) == tracker)
			return true;
	}
	return false;
}

uintptr_t progress_default_moved(struct progress_default *sought, struct own_memory *memory,
				 const struct progress_layout *layout)
{
	int kept = 0;
	for (int i = 0; i < sought->n; i++) {
		uint64_t payload = kernel_at(memory, layout, sought->places[i]);
		if (payload == 0 || payload == sought->payloads[i] ||
		    is_met(sought, kept, memory, sought->places[i]))
			continue;
		sought->payloads[kept] = payload;
		sought->places[kept++] = sought->places[i];
	}
	sought->n = ++sought->n_rounds < MAX_ROUNDS ? kept : 0;
	return kept == 1 && sought->n_rounds >= sought->n_needed ? sought->places[0] : 0;
}
