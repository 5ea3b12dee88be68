/*
 * progress_legacy.c - what moves with the legacy stream.
 */
#include "record/progress/progress_legacy.h"

enum { CONTEXT_SIZE = 0x1400 };

/* The payload that the tracker behind a place shows; 0: it is none, or shows none. */
static uint64_t payload_at(struct own_memory *memory, const struct progress_layout *layout,
			   uintptr_t place)
{
	struct progress_entry entry;
	uint64_t tracker = own_memory_word(memory, place);
	if (!tracker || !progress_layout_entry(layout, memory, tracker, &entry))
		return 0;
	const struct progress_pair *channel = progress_entry_channel(&entry);
	return channel && channel->value >> 32 == 0 ? channel->value : 0;
}

static bool is_stream(struct own_memory *memory, const struct progress_layout *layout,
		      uint64_t tracker_class, uintptr_t place)
{
	uint64_t tracker = own_memory_word(memory, place);
	return tracker && own_memory_word(memory, tracker) == tracker_class &&
	       own_memory_word(memory, tracker + layout->entries) == tracker + layout->entry;
}

void progress_legacy_begin(struct progress_legacy *legacy, struct own_memory *memory,
			   const struct progress_layout *layout, uint64_t tracker_class,
			   uint64_t context)
{
	*legacy = (struct progress_legacy){0};
	for (uint64_t at = 0; at < CONTEXT_SIZE && legacy->n < LEGACY_MAX; at += 8) {
		uint64_t object = own_memory_word(memory, context + at);
		uintptr_t place = object + layout->tracker;
		if (object < 4096 || object % 8 != 0 ||
		    !is_stream(memory, layout, tracker_class, place))
			continue;
		legacy->payloads[legacy->n] = payload_at(memory, layout, place);
		legacy->places[legacy->n++] = place;
	}
}

/* A tracker is no stream of its own for being named twice: a primary context names that of its
 * legacy stream in another object, too (H200, driver 580.159). */
static bool is_met(const struct progress_legacy *legacy, int n, struct own_memory *memory,
		   uintptr_t place)
{
	uint64_t tracker = own_memory_word(memory, place);
	for (int i = 0; i < n; i++) {
		if (own_memory_word(memory, legacy->places[i]) == tracker)
			return true;
	}
	return false;
}

uintptr_t progress_legacy_moved(struct progress_legacy *legacy, struct own_memory *memory,
				const struct progress_layout *layout)
{
	int kept = 0;
	for (int i = 0; i < legacy->n; i++) {
		uint64_t payload = payload_at(memory, layout, legacy->places[i]);
		if (payload == 0 || payload == legacy->payloads[i] ||
		    is_met(legacy, kept, memory, legacy->places[i]))
			continue;
		legacy->payloads[kept] = payload;
		legacy->places[kept++] = legacy->places[i];
	}
	legacy->n = kept;
	return ++legacy->n_rounds >= LEGACY_ROUNDS && kept == 1 ? legacy->places[0] : 0;
}
