/*
 * progress_layout.c - the offsets as seen on an H200 under driver 580.159, and others.
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

void progress_poke_kind(uint64_t *tracker, unsigned number, enum entry_kind kind)
{
	unsigned offset = progress_layout()->entry + number * ENTRY_BYTES + ENTRY_KIND;
	uint64_t old = tracker[offset / sizeof(*tracker)];

	progress_poke(tracker, offset, (old & ~UINT64_C(0xffffffff)) | (uint64_t)kind);
}

void progress_poke_pair(uint64_t *tracker, unsigned number, unsigned pair, const void *object,
			uint64_t value)
{
	unsigned offset = progress_layout()->entry + number * ENTRY_BYTES + pair;

	progress_poke_pointer(tracker, offset, object);
	progress_poke(tracker, offset + 8, value);
}
