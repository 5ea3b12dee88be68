/*
 * progress_states.h - the words in which the driver keeps the state of kernels. Their place is
 * learned from finished kernels: the word, reached from the kernel's object, must say finished. A
 * place that said so for STATE_SAMPLES kernels, each with another number, is believed. The search
 * tries kernels of its own (progress_kernels.c). If it has none, synchronisations give the
 * program's: the stream's last kernel has finished.
 */
#ifndef CULPRIT_RECORD_PROGRESS_STATES_H
#define CULPRIT_RECORD_PROGRESS_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/journal_format.h"
#include "record/host/mappings.h"
#include "record/progress/probe_streams.h"
#include "record/progress/progress_channels.h"
#include "record/progress/progress_layout.h"

/* A stream has eight such words (driver 580.159); further ones of a stream are ignored. */
enum { STREAM_STATES = 8, STATE_SAMPLES = 4 };

/* One word, as a stream remembers it. */
struct progress_state {
	uint64_t kernel; /* the driver's object; 0: none yet */
	uint32_t id;     /* in the journal, 0: unknown for good */
};

/* True if the place of states is known. Any thread. */
static inline bool progress_states_are_known(void)
{
	return __atomic_load_n(&progress_layout.has_state, __ATOMIC_ACQUIRE);
}

/* True if the n-th use of a word, which now holds `value`, has finished. Wraps at 32 bits. */
bool progress_state_is_finished(uint32_t value, uint64_t n);

/*
 * A kernel, with its object and use, has finished: learn the place of states from it, or check its
 * state. `id` is its word's, 0: none. Calls progress_refuse() on a contradiction. Any thread.
 */
void progress_states_check(const struct mapping *pages, const struct progress_pair *kernel,
			   uint32_t id);

/*
 * A kernel after a closed gate has not finished, so a word that says it has is not its state. While
 * learning; any thread.
 */
void progress_states_unfinished(const struct mapping *pages, const struct progress_pair *kernel,
				const struct progress_gate *gate);

/* Add a row for a kernel object's word of this stream; returns its id. 0: none. Any thread. */
uint32_t progress_states_add(const struct mapping *pages, uint64_t kernel, uint32_t stream);

/* Stop reading the word, which may be unmapped from now on; its row may be reused. Only once for
 * each id. Any thread. */
void progress_states_drop(uint32_t id);

/* Return the address of the word with this id; 0: it no longer has one, or never had. Any thread.
 */
uintptr_t progress_states_address(uint32_t id);

/*
 * Call `visit` with each present word of the context's streams, read through `memory`. While
 * reading the context's channels. Any thread.
 */
void progress_states_visit(uint32_t context, struct own_memory *memory,
			   void (*visit)(uint32_t id, uint32_t value));

/* Copy all words that still exist into their rows. */
void progress_states_copy(struct own_memory *memory);

#endif
