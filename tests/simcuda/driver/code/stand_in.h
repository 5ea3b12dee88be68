/*
 * stand_in.h - kernels for the host instead of PTX that simcuda cannot compile: culprit's own.
 */
#ifndef SIMCUDA_STAND_IN_H
#define SIMCUDA_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>

/* Find the file to load instead of the image, beside this library; false: there is none. */
bool stand_in_find(const char *image, char *out_path, size_t capacity);

#endif
