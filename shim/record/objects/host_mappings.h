/*
 * host_mappings.h - the program's own memory at the failure. A pointer into it that the GPU was
 * given is a mistake if the GPU cannot access it.
 */
#ifndef CULPRIT_RECORD_HOST_MAPPINGS_H
#define CULPRIT_RECORD_HOST_MAPPINGS_H

/* Write the table. Reads /proc/self/maps once. The failure only. */
void host_mappings_write(void);

#endif
