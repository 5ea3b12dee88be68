/*
 * refused_host.h - why the driver refused a call about host memory: by what is known of the memory
 * at its address. Each says nothing where no reason is proven. They ask the driver: no lock held.
 */
#ifndef CULPRIT_REFUSAL_REFUSED_HOST_H
#define CULPRIT_REFUSAL_REFUSED_HOST_H

#include "rejection/refused_line.h"

/* The GPU's address of host memory was asked for, with these flags. Any thread. */
void refused_host_pointer(const struct refused_call *call, uint64_t address, unsigned flags);

/* So many bytes were to be registered. Any thread. */
void refused_host_register(const struct refused_call *call, uint64_t address, uint64_t size);

/* Host memory of that kind was to be given back. Any thread. */
void refused_host_release(const struct refused_call *call, uint64_t address, uint8_t kind);

#endif
