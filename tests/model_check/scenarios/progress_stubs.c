/*
 * progress_stubs.c - what a tracker calls and the scenario is not about. The headers are not
 * included, so that one definition fits all: each function returns 0.
 */
#include <stdint.h>

#define STUB(name)            \
	uintptr_t name(void); \
	uintptr_t name(void)  \
	{                     \
		return 0;     \
	}

STUB(arena_alloc_aside)
STUB(own_memory_close)
STUB(own_memory_open)
STUB(own_memory_word)
STUB(progress_channels_find)
STUB(progress_channels_of)
STUB(progress_default_begin)
STUB(progress_default_moved)
STUB(progress_entries_graph)
STUB(progress_layout_entries)
STUB(progress_layout_entry)
STUB(progress_layout_place)
STUB(progress_states_add)
STUB(progress_unseen_between)
