/*
 * recording.h - does this process record? Not before it is ready to, and never as the child of one
 * that does: the driver does not work there, the bundle is the parent's, and its memory is gone.
 */
#ifndef CULPRIT_RECORD_RECORDING_H
#define CULPRIT_RECORD_RECORDING_H

#include <stdbool.h>

/* From now on. Everything that recording needs is ready. Start-up only. */
void recording_begin(void);

/* In the child of a fork(): for kernels that do not see to it themselves. */
void recording_end(void);

/* Any thread. Signal-safe. */
bool recording_is_on(void);

#endif
