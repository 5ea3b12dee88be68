/*
 * refused_image.h - the real driver's errors for images that are not shared objects of this host.
 */
#ifndef SIMCUDA_REFUSED_IMAGE_H
#define SIMCUDA_REFUSED_IMAGE_H

#include <stddef.h>

#include "base/cuda_api.h"

/*
 * Return the error by which an H200's driver refuses a cubin, fatbin or PTX. Images that it would
 * load cannot run here and give CUDA_ERROR_NOT_SUPPORTED. `size` 0: use the size in the image.
 */
CUresult refused_image_code(const void *image, size_t size);

/* Write the compiler's messages to the buffers that the program passed as options. */
void refused_image_log(CUresult result, unsigned n, const CUjit_option *options, void **values);

#endif
