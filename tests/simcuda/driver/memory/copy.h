/*
 * copy.h - copies, whatever the call that asked for them. All: lock held.
 */
#ifndef SIMCUDA_COPY_H
#define SIMCUDA_COPY_H

#include <stdbool.h>

#include "work/work.h"

/* Does the host see the result when the call returns? */
enum copy_mode {
	COPY_ASYNCHRONOUS,
	COPY_SYNCHRONOUS,
};

/* Source or destination. */
struct copy_place {
	CUdeviceptr address;
	size_t pitch, slice;
	bool is_host; /* named as host memory: pageable unless it is pinned */
};

/* depth slices of height rows of width bytes. */
struct copy_size {
	size_t width, height, depth;
};

CUresult copy_submit(CUstream handle, const struct copy_place *destination,
		     const struct copy_place *source, struct copy_size size, enum copy_mode mode);

/* From the driver's description; CUDA_ERROR_INVALID_VALUE for places that are not memory. */
CUresult copy_make_work(const CUDA_MEMCPY3D *request, struct work *out_work);

#endif
