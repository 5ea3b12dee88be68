/*
 * copy.h - copies, in the common form of all copy calls. All: lock held.
 */
#ifndef SIMCUDA_COPY_H
#define SIMCUDA_COPY_H

#include <stdbool.h>

#include "work/work.h"

/* Whether the copy is finished when the call returns. */
enum copy_mode {
	COPY_ASYNCHRONOUS,
	COPY_SYNCHRONOUS,
};

/* A source or destination. */
struct copy_place {
	CUdeviceptr address;
	size_t pitch, slice;
	bool is_host; /* the call says host memory: pageable unless pinned */
};

/* A size of depth slices of height rows of width bytes. */
struct copy_size {
	size_t width, height, depth;
};

CUresult copy_submit(CUstream handle, const struct copy_place *destination,
		     const struct copy_place *source, struct copy_size size, enum copy_mode mode);

/* Convert the driver's description. Return CUDA_ERROR_INVALID_VALUE for invalid addresses. */
CUresult copy_make_work(const CUDA_MEMCPY3D *request, struct work *out_work);

#endif
