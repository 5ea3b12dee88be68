/*
 * progress_layout.c - the offsets seen on an H200 under driver 580.159, and different ones.
 */
#include "progress/progress_layout.h"

#include "settings.h"

static const struct progress_layout h200 = {.legacy = 0x628,
					    .tracker = 0x268,
					    .next = 0x158,
					    .previous = 0x160,
					    .n_entries = 0x10,
					    .self = 0x18,
					    .capacity = 0x20,
					    .entry = 0x28,
					    .index = 0x38,
					    .state_link = 0x18,
					    .state_word = 0x10};

static const struct progress_layout other = {.legacy = 0x6a0,
					     .tracker = 0x300,
					     .next = 0x90,
					     .previous = 0x88,
					     .n_entries = 0x18,
					     .self = 0x20,
					     .capacity = 0x30,
					     .entry = 0x40,
					     .index = 0x20,
					     .state_link = 0x48,
					     .state_word = 0x28};

const struct progress_layout *progress_layout(void)
{
	return settings.progress.is_other ? &other : &h200;
}

void progress_poke(uint64_t *object, unsigned offset, uint64_t value)
{
	__atomic_store_n(&object[offset / sizeof(*object)], value, __ATOMIC_RELAXED);
}

void progress_poke_pointer(uint64_t *object, unsigned offset, const void *pointer)
{
	progress_poke(object, offset, (uintptr_t)pointer);
}

/* Return an entry of a tracker, inside or outside the tracker itself. */
static uint64_t *find_entry(const uint64_t *tracker, unsigned number)
{
	uint64_t entries = tracker[progress_layout()->self / sizeof(*tracker)];
	return (uint64_t *)(uintptr_t)(entries + (uint64_t)number * ENTRY_BYTES);
}

void progress_poke_kind(uint64_t *tracker, unsigned number, enum entry_kind kind)
{
	uint64_t *entry = find_entry(tracker, number);
	uint64_t old = entry[ENTRY_KIND / sizeof(*entry)];
	progress_poke(entry, ENTRY_KIND, (old & ~UINT64_C(0xffffffff)) | (uint64_t)kind);
}

void progress_poke_pair(uint64_t *tracker, unsigned number, unsigned pair, const void *object,
			uint64_t value)
{
	uint64_t *entry = find_entry(tracker, number);
	progress_poke_pointer(entry, pair, object);
	progress_poke(entry, pair + 8, value);
}
