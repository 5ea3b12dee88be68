/*
 * recording.h - whether this process records. It does once everything is ready, but never in a
 * forked child: there the driver does not work, the bundle is the parent's, and its memory is lost.
 */
#ifndef CULPRIT_RECORD_RECORDING_H
#define CULPRIT_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* Start recording. Everything that recording needs must be ready. Start-up only. */
void recording_begin(void);

/* Stop recording, in the child of a fork(): for kernels that cannot wipe the flag. */
void recording_end(void);

/* True if the process records. Any thread. Signal-safe. */
extern __attribute__((visibility("hidden"))) uint32_t *recording_flag;
static inline bool recording_is_on(void)
{
	return __atomic_load_n(__atomic_load_n(&recording_flag, __ATOMIC_ACQUIRE),
			       __ATOMIC_ACQUIRE);
}

#endif
