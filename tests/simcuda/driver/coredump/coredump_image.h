/*
 * coredump_image.h - the bytes of a core dump. Lock held.
 */
#ifndef SIMCUDA_COREDUMP_IMAGE_H
#define SIMCUDA_COREDUMP_IMAGE_H

#include <stddef.h>

#include "work/operation.h"

/* The bytes of the dump, the caller's to free. */
unsigned char *coredump_bytes(const struct operation *operation, CUresult code, size_t *out_size);

#endif
