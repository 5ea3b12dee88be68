/*
 * copy.c - check copies and queue them. The GPU cannot access pageable host memory: a pageable
 * source is staged at the call, and a pageable destination makes the call wait.
 */
#include "memory/copy.h"

#include <string.h>

#include "addresses/memory.h"
#include "captures/captures.h"
#include "entry.h"
#include "graphs/capture.h"
#include "handles.h"
#include "memory/array.h"
#include "objects.h"
#include "run/loading.h"
#include "run/queue.h"
#include "sim.h"
#include "streams/stream.h"

static bool is_pageable(const struct copy_place *place)
{
	return place->is_host && !memory_find((const void *)place->address);
}

/* Return the number of bytes from the first to the last, with gaps. */
static size_t span(const struct copy_place *place, struct copy_size size)
{
	return (size.depth - 1) * place->slice + (size.height - 1) * place->pitch + size.width;
}

static bool is_valid(const struct copy_place *place, struct copy_size size)
{
	if (!place->address || (size.height > 1 && place->pitch < size.width))
		return false;
	return place->is_host || memory_contains((const void *)place->address, span(place, size));
}

static struct work make_work(const struct copy_place *destination, const struct copy_place *source,
			     struct copy_size size)
{
	return (struct work){.kind = WORK_COPY,
			     .copy = {.destination = (unsigned char *)destination->address,
				      .destination_pitch = destination->pitch,
				      .destination_slice = destination->slice,
				      .source = (const unsigned char *)source->address,
				      .source_pitch = source->pitch,
				      .source_slice = source->slice,
				      .width = size.width,
				      .height = size.height,
				      .depth = size.depth}};
}

static void stage(struct copy_work *copy, size_t size)
{
	copy->staging = sim_alloc(size);
	memcpy(copy->staging, copy->source, size);
	copy->source = copy->staging;
}

static CUresult submit(CUstream stream, struct work *work, bool must_wait)
{
	loading_await();
	CUresult result = queue_submit(stream, work);
	return result == CUDA_SUCCESS && must_wait ? queue_wait_stream(stream) : result;
}

/* Return the context of device memory if it is not the current one, else NULL. */
static CUcontext foreign_context(const struct copy_place *place)
{
	const struct memory_range *range =
		place->is_host ? NULL : memory_find((const void *)place->address);
	CUcontext context = range && range->kind == MEMORY_DEVICE ? range->context : NULL;
	return context == context_owner(context_current()) ? NULL : context;
}

/* A copy without a stream runs in the context whose memory it uses. */
static CUstream stream_of_memory(const struct copy_place *destination,
				 const struct copy_place *source)
{
	CUcontext context = foreign_context(source);
	if (!context)
		context = foreign_context(destination);
	return context ? context->legacy : NULL;
}

CUresult copy_submit(CUstream handle, const struct copy_place *destination,
		     const struct copy_place *source, struct copy_size size, enum copy_mode mode)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve_for_work(handle, &stream);
	bool must_wait = is_pageable(destination);
	if (result == CUDA_SUCCESS && mode == COPY_SYNCHRONOUS)
		result = capture_check_uncapturable(stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (size.width == 0 || size.height == 0 || size.depth == 0)
		return CUDA_SUCCESS;
	if (!is_valid(destination, size) || !is_valid(source, size))
		return CUDA_ERROR_INVALID_VALUE;
	if (mode == COPY_SYNCHRONOUS && stream_of_memory(destination, source))
		stream = stream_of_memory(destination, source);
	struct work work = make_work(destination, source, size);
	if (stream->capture)
		return capture_add(stream, &work);
	if (mode == COPY_SYNCHRONOUS)
		must_wait = destination->is_host || source->is_host;
	if (is_pageable(source) && !must_wait)
		stage(&work.copy, span(source, size));
	return submit(stream, &work, must_wait);
}

static CUresult place_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
			 struct copy_place *out_place)
{
	switch ((unsigned)type) {
	case CU_MEMORYTYPE_HOST:
		out_place->is_host = true;
		out_place->address = (CUdeviceptr)host;
		return CUDA_SUCCESS;
	case CU_MEMORYTYPE_UNIFIED:
		out_place->is_host = !memory_find((const void *)device);
		out_place->address = device;
		return CUDA_SUCCESS;
	case CU_MEMORYTYPE_DEVICE:
		out_place->address = device;
		return CUDA_SUCCESS;
	case CU_MEMORYTYPE_ARRAY:
		if (!handle_is(array, HANDLE_ARRAY))
			return CUDA_ERROR_INVALID_HANDLE;
		*out_place = (struct copy_place){
			.address = array->data, .pitch = array->pitch, .slice = array->slice};
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

static void step_into(struct copy_place *place, size_t x, size_t y, size_t z)
{
	if (place->address)
		place->address += x + y * place->pitch + z * place->slice;
}

struct request_parts {
	struct copy_place destination, source;
	struct copy_size size;
};

static CUresult take_apart(const CUDA_MEMCPY3D *request, struct request_parts *out)
{
	size_t source_height = request->srcHeight ? request->srcHeight : request->Height;
	size_t destination_height = request->dstHeight ? request->dstHeight : request->Height;
	*out = (struct request_parts){
		.destination = {.pitch = request->dstPitch,
				.slice = request->dstPitch * destination_height},
		.source = {.pitch = request->srcPitch, .slice = request->srcPitch * source_height},
		.size = {request->WidthInBytes, request->Height, request->Depth},
	};
	CUresult result = place_of(request->dstMemoryType, request->dstHost, request->dstDevice,
				   request->dstArray, &out->destination);
	if (result == CUDA_SUCCESS)
		result = place_of(request->srcMemoryType, request->srcHost, request->srcDevice,
				  request->srcArray, &out->source);
	step_into(&out->destination, request->dstXInBytes, request->dstY, request->dstZ);
	step_into(&out->source, request->srcXInBytes, request->srcY, request->srcZ);
	return result;
}

CUresult copy_make_work(const CUDA_MEMCPY3D *request, struct work *out_work)
{
	if (!request)
		return CUDA_ERROR_INVALID_VALUE;
	struct request_parts parts;
	CUresult result = take_apart(request, &parts);
	if (result != CUDA_SUCCESS)
		return result;
	if (!is_valid(&parts.destination, parts.size) || !is_valid(&parts.source, parts.size))
		return CUDA_ERROR_INVALID_VALUE;
	*out_work = make_work(&parts.destination, &parts.source, parts.size);
	return CUDA_SUCCESS;
}

static CUresult submit_3d(CUstream stream, const CUDA_MEMCPY3D *request, enum copy_mode mode)
{
	if (!request)
		return CUDA_ERROR_INVALID_VALUE;
	struct request_parts parts;
	CUresult result = take_apart(request, &parts);
	if (result != CUDA_SUCCESS)
		return result;
	return copy_submit(stream, &parts.destination, &parts.source, parts.size, mode);
}

static CUresult submit_2d(CUstream stream, const CUDA_MEMCPY2D *request, enum copy_mode mode)
{
	if (!request)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_MEMCPY3D full = {
		.srcXInBytes = request->srcXInBytes,
		.srcY = request->srcY,
		.srcMemoryType = request->srcMemoryType,
		.srcHost = request->srcHost,
		.srcDevice = request->srcDevice,
		.srcArray = request->srcArray,
		.srcPitch = request->srcPitch ? request->srcPitch : request->WidthInBytes,
		.dstXInBytes = request->dstXInBytes,
		.dstY = request->dstY,
		.dstMemoryType = request->dstMemoryType,
		.dstHost = request->dstHost,
		.dstDevice = request->dstDevice,
		.dstArray = request->dstArray,
		.dstPitch = request->dstPitch ? request->dstPitch : request->WidthInBytes,
		.WidthInBytes = request->WidthInBytes,
		.Height = request->Height,
		.Depth = 1,
	};
	return submit_3d(stream, &full, mode);
}

CUresult sim_cuMemcpy2D_v2(const CUDA_MEMCPY2D *pCopy)
{
	return submit_2d(NULL, pCopy, COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *pCopy)
{
	return submit_2d(NULL, pCopy, COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *pCopy, CUstream hStream)
{
	return submit_2d(hStream, pCopy, COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpy3D_v2(const CUDA_MEMCPY3D *pCopy)
{
	return submit_3d(NULL, pCopy, COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *pCopy, CUstream hStream)
{
	return submit_3d(hStream, pCopy, COPY_ASYNCHRONOUS);
}
