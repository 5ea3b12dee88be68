/*
 * progress_gate.h - a gate in a stream of our own: work after it is submitted but has not started.
 * The GPU opens it itself, with the last of many small operations. A gate that waits for the host
 * could stop the program for good: another thread that loads or unloads code, and waits for the
 * GPU, may keep the opening thread in the driver (H200, driver 580.159: 10 of 39 processes).
 */
#ifndef CULPRIT_RECORD_PROGRESS_GATE_H
#define CULPRIT_RECORD_PROGRESS_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct progress_gate {
	const volatile uint32_t *word; /* the GPU writes it */
	uint32_t opens_at;
};

/* If the gate is closed now, it was also closed during all earlier reads. */
static inline bool progress_gate_is_closed(const struct progress_gate *gate)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return *gate->word != gate->opens_at;
}

#endif
