/*
 * coredump_image.h - make the contents of a core dump. Lock held.
 */
#ifndef SIMCUDA_COREDUMP_IMAGE_H
#define SIMCUDA_COREDUMP_IMAGE_H

#include <stddef.h>

#include "work/operation.h"

/* Return the bytes of the dump, which the caller frees. */
unsigned char *coredump_bytes(const struct operation *operation, CUresult code, size_t *out_size);

#endif
