/*
 * recording.h - does this process record? Not before it is ready to, and never as the child of one
 * that does: the driver does not work there, the bundle is the parent's, and its memory is gone.
 */
#ifndef CULPRIT_RECORD_RECORDING_H
#define CULPRIT_RECORD_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

/* From now on. Everything that recording needs is ready. Start-up only. */
void recording_begin(void);

/* In the child of a fork(): for kernels that do not see to it themselves. */
void recording_end(void);

/* Any thread. Signal-safe. */
extern __attribute__((visibility("hidden"))) uint32_t *recording_flag;
static inline bool recording_is_on(void)
{
	return __atomic_load_n(__atomic_load_n(&recording_flag, __ATOMIC_ACQUIRE),
			       __ATOMIC_ACQUIRE);
}

#endif
