/*
 * snapshots_stubs.c - what the snapshot thread calls and the scenario is not about: each function
 * returns 0.
 */
#include <stdint.h>

#define STUB(name)            \
	uintptr_t name(void); \
	uintptr_t name(void)  \
	{                     \
		return 0;     \
	}

STUB(checkpoint_locked_ns)
STUB(own_memory_open)
STUB(prctl)
STUB(progress_channels_begin_reading)
STUB(progress_channels_end_reading)
STUB(progress_channels_visit)
STUB(progress_states_visit)

const char *progress_refusal;
