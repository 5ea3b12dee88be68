/*
 * progress_layout.c - follow the offsets that were found.
 */
#include "record/progress/progress_layout.h"

#include "record/host/clock_wait.h"

uintptr_t progress_layout_place(const struct progress_layout *layout, struct own_memory *memory,
				uint64_t stream_handle)
{
	uint64_t object = own_memory_word(memory, stream_handle);
	return object ? object + layout->tracker : 0;
}

uintptr_t progress_layout_entries(const struct progress_layout *layout, struct own_memory *memory,
				  uint64_t tracker)
{
	uint64_t own = tracker + layout->entry;
	uint64_t entries = own_memory_word(memory, tracker + layout->entries);
	bool is_there = entries % 8 == 0 && own_memory_word(memory, entries) != 0;
	return entries == own || is_there ? entries : 0;
}

bool progress_layout_entry(const struct progress_layout *layout, struct own_memory *memory,
			   uint64_t tracker, struct progress_entry *out_entry)
{
	uintptr_t entries = progress_layout_entries(layout, memory, tracker);
	return entries && own_memory_read(memory, entries, out_entry, sizeof(*out_entry));
}

/* True if one of the first n entries, without a kernel, has this kernel's number. */
static bool has_twin(const volatile struct progress_entry *entries, uint32_t n,
		     const struct progress_pair *kernels)
{
	for (uint32_t i = 0; i < n; i++) {
		if (entries[i].kind == ENTRY_PLAIN &&
		    entries[i].pairs[0].object == kernels->object &&
		    entries[i].pairs[0].value == kernels->value)
			return true;
	}
	return false;
}

/* True if of two launches `one` is the stream's own, as far as is known. */
static bool is_own(const struct progress_pair *one, const struct progress_pair *other,
		   uint64_t channel)
{
	if (one->object == other->object)
		return (int32_t)((uint32_t)one->value - (uint32_t)other->value) >= 0;
	return one->object == channel;
}

bool progress_entries_graph(const volatile struct progress_entry *entries, uint32_t n,
			    uint64_t channel, struct progress_pair *out_where)
{
	bool is_found = false;
	for (uint32_t i = 1; i < n; i++) {
		struct progress_pair where = progress_pair_read(&entries[i].pairs[1]);
		if (entries[i].kind != ENTRY_KERNEL || !has_twin(entries, i, &where))
			continue;
		if (is_found && is_own(out_where, &where, channel))
			continue;
		if (is_found && !is_own(&where, out_where, channel))
			return false;
		*out_where = where;
		is_found = true;
	}
	return is_found;
}

bool progress_counter_reaches(const volatile struct progress_counter *word, uint32_t payload)
{
	/* Seen on an H200: some microseconds, after a wait that the host ended. */
	struct clock_wait wait = {.patience_ns = 1000ull * 1000};
	while ((int32_t)(word->payload - payload) < 0) {
		if (clock_wait_is_over(&wait))
			return false;
	}
	return true;
}
