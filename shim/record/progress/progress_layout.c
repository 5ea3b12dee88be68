/*
 * progress_layout.c - following the places that were found.
 */
#include "record/progress/progress_layout.h"

#include <stddef.h>

#include "record/host/clock.h"

uintptr_t progress_layout_place(const struct progress_layout *layout, struct own_memory *memory,
				uint64_t stream_handle)
{
	uint64_t object = own_memory_word(memory, stream_handle);
	return object ? object + layout->tracker : 0;
}

bool progress_layout_entry(const struct progress_layout *layout, struct own_memory *memory,
			   uint64_t tracker, struct progress_entry *out_entry)
{
	return own_memory_word(memory, tracker + layout->entries) == tracker + layout->entry &&
	       own_memory_read(memory, tracker + layout->entry, out_entry, sizeof(*out_entry));
}

bool progress_word_reaches(const volatile struct progress_word *word, uint32_t payload)
{
	/* Seen on an H200: behind a wait that the host ended, some microseconds. */
	static const uint64_t PATIENCE_NS = 1000ull * 1000;
	uint64_t end_ns = 0;
	while ((int32_t)(word->payload - payload) < 0) {
		uint64_t now_ns = clock_kernel_ns();
		if (end_ns == 0)
			end_ns = now_ns + PATIENCE_NS;
		if (now_ns > end_ns)
			return false;
	}
	return true;
}
