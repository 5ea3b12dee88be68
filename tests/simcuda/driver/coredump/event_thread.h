/*
 * event_thread.h - the driver's thread that hears of exceptions while core dumps are on, under the
 * name that it has in the real driver: culprit watches it (shim/record/driver/driver_events.h).
 */
#ifndef SIMCUDA_EVENT_THREAD_H
#define SIMCUDA_EVENT_THREAD_H

#include <stddef.h>

/* Makes it, if there is none: core dumps are on. Lock held. */
void event_thread_start(void);

/*
 * Wakes it to have this dump written, which is WRITE's to free, SIMCUDA_COREDUMP_FILE_MS from now,
 * with the lock held. Once in a process. Lock held.
 */
void event_thread_dump(unsigned char *bytes, size_t size,
		       void (*write)(unsigned char *bytes, size_t size));

#endif
