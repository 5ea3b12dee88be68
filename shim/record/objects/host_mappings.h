/*
 * host_mappings.h - the program's own memory at the failure: a pointer into it that the GPU was
 * given is a mistake where the GPU cannot access it.
 */
#ifndef CULPRIT_RECORD_HOST_MAPPINGS_H
#define CULPRIT_RECORD_HOST_MAPPINGS_H

/* Writes the table. Reads /proc/self/maps once. The failure only. */
void host_mappings_write(void);

#endif
