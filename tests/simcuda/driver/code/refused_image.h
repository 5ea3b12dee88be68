/*
 * refused_image.h - images that are no shared objects for this machine: what the driver would say.
 */
#ifndef SIMCUDA_REFUSED_IMAGE_H
#define SIMCUDA_REFUSED_IMAGE_H

#include <stddef.h>

#include "base/cuda_api.h"

/*
 * Of cubins, fatbins and PTX the error with which an H200's driver refuses them. Those that it
 * would load cannot run here: CUDA_ERROR_NOT_SUPPORTED. `size` 0: as the image tells.
 */
CUresult refused_image_code(const void *image, size_t size);

/* Writes what the compiler would say to where the program asked for it. */
void refused_image_log(CUresult result, unsigned n, const CUjit_option *options, void **values);

#endif
