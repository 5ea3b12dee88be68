/*
 * progress_states.h - the words in which the driver keeps the state of kernels. Where they lie is
 * learned from kernels that have finished: the word, which hangs on the kernel's object, must say
 * so; what said so for STATE_TRIALS kernels, each with another number, is believed. The search
 * tries kernels of its own (progress_kernels.h); where it has none, synchronisations tell of the
 * program's: the last one of the stream has finished.
 */
#ifndef CULPRIT_RECORD_PROGRESS_STATES_H
#define CULPRIT_RECORD_PROGRESS_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "record/host/device_mappings.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_gate.h"
#include "record/progress/progress_layout.h"

/* A stream has eight such words (driver 580.159); of one that has more the others are not known. */
enum { STREAM_STATES = 8, STATE_TRIALS = 4 };

/* One word, as a stream remembers it. */
struct progress_state {
	uint64_t kernel; /* the driver's object; 0: none yet */
	uint32_t id;     /* in the journal, 0: not to be known */
};

/* Is it known where states lie? Any thread. */
static inline bool progress_states_are_known(void)
{
	return __atomic_load_n(&progress_layout.has_state, __ATOMIC_ACQUIRE);
}

/* Has the n-th use of a word, which now holds `value`, finished? It wraps at 32 bits. */
bool progress_state_is_finished(uint32_t value, uint64_t n);

/*
 * A kernel, with its object and use, has finished: learns where states lie, or holds its state
 * against that. `id` is its word's, 0 none. Calls progress_refuse() on a contradiction. Any thread.
 */
void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id);

/*
 * The kernel has not finished while it is behind a gate that is closed: no way to a word that says
 * it has is one to its state. While learning; any thread.
 */
void progress_states_unfinished(const struct mapping *pages, const struct progress_pair *kernel,
				const struct progress_gate *gate);

/* The journal's id of the word of a kernel's object of this stream: a new row. 0: none. Any thread.
 */
uint32_t progress_states_add(const struct mapping *pages, uint64_t kernel, uint32_t stream);

/* The word may go from now on, and is not read again; its row may be another's. Not twice. Any
 * thread.
 */
void progress_states_drop(uint32_t id);

/* Where the word with this id is; 0: it is not there any more, or there never was one. Any thread.
 */
uintptr_t progress_states_address(uint32_t id);

/*
 * Calls `visit` with each word of the context's streams as it is now, read through `memory`. While
 * reading the context's channels. Any thread.
 */
void progress_states_visit(uint32_t context, struct own_memory *memory,
			   void (*visit)(uint32_t id, uint32_t value));

/* Copies all words that are still there into their rows. */
void progress_states_copy(struct own_memory *memory);

#endif
