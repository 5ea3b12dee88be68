/*
 * event_thread.h - the driver's thread that handles exceptions while core dumps are on. It has the
 * same name as in the real driver, because culprit watches it
 * (shim/record/driver/driver_events.h).
 */
#ifndef SIMCUDA_EVENT_THREAD_H
#define SIMCUDA_EVENT_THREAD_H

#include <stddef.h>

/* Start the thread when core dumps are turned on, unless it exists. Lock held. */
void event_thread_start(void);

/*
 * Let the thread call `write`, with the lock held, after SIMCUDA_COREDUMP_FILE_MS; `write` frees
 * the bytes. Once in a process. Lock held.
 */
void event_thread_dump(unsigned char *bytes, size_t size,
		       void (*write)(unsigned char *bytes, size_t size));

#endif
