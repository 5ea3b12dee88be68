/*
 * refused_image.c - decide by the image's headers and the settings. PTX is not compiled; a text
 * without an entry counts as invalid.
 */
#include "code/refused_image.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rejection/image_parts.h"
#include "settings.h"

enum {
	DEVICE_SM = 90,
	LATER_PTX = 980, /* for drivers newer than the table: later than any version */
};

static uint32_t newest_ptx(void)
{
	uint32_t newest = image_driver_ptx(settings.driver_version);
	return newest ? newest : LATER_PTX;
}

static CUresult ptx_code(const struct image_parts *parts)
{
	const char *disabled = getenv("CUDA_DISABLE_PTX_JIT");
	if (disabled && strcmp(disabled, "1") == 0)
		return CUDA_ERROR_JIT_COMPILATION_DISABLED;
	if (settings.has_no_compiler)
		return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
	return image_ptx_version(parts) > newest_ptx() ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
						       : CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult text_code(const struct image_parts *parts, const char *text, size_t size)
{
	CUresult result = ptx_code(parts);
	if (result != CUDA_ERROR_NOT_SUPPORTED)
		return result;
	if (!image_has_ptx(parts, DEVICE_SM) || !memmem(text, size, ".entry", strlen(".entry")))
		return CUDA_ERROR_INVALID_PTX;
	return result;
}

CUresult refused_image_code(const void *image, size_t size)
{
	if (size == 0 && image_is_wrapper(image))
		image = ((const struct image_wrapper *)image)->container;
	size = size ? size : image_bytes_to_read(image);
	struct image_parts parts;
	image_parts_read(image, size, &parts);
	if (parts.kind == IMAGE_UNKNOWN)
		return CUDA_ERROR_INVALID_IMAGE;
	if (parts.kind == IMAGE_PTX)
		return text_code(&parts, image, size);
	if (image_has_code(&parts, DEVICE_SM))
		return CUDA_ERROR_NOT_SUPPORTED;
	return image_has_ptx(&parts, DEVICE_SM) ? ptx_code(&parts) : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

void refused_image_log(CUresult result, unsigned n, const CUjit_option *options, void **values)
{
	char *log = NULL;
	size_t size = 0;
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
			log = values[i];
		if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
			size = (uintptr_t)values[i];
	}
	if (result == CUDA_ERROR_INVALID_PTX && log && size > 0)
		(void)snprintf(log, size,
			       "ptxas application ptx input, line 3; fatal   : Parsing error\n"
			       "ptxas fatal   : Ptx assembly aborted due to errors");
}
