/*
 * memset.c - the memset calls. A call without a stream uses the default stream and does not wait.
 */
#include "memory/memset.h"

#include "addresses/memory.h"
#include "entry.h"
#include "streams/stream.h"

static size_t span(const CUDA_MEMSET_NODE_PARAMS *request)
{
	return (request->height - 1) * request->pitch + request->width * request->elementSize;
}

CUresult memset_make_work(const CUDA_MEMSET_NODE_PARAMS *request, struct work *out_work)
{
	size_t row = request->width * request->elementSize;
	if ((request->elementSize != 1 && request->elementSize != 2 && request->elementSize != 4) ||
	    request->dst % request->elementSize != 0 ||
	    (request->height > 1 && request->pitch < row))
		return CUDA_ERROR_INVALID_VALUE;
	if (row > 0 && request->height > 0 &&
	    !memory_contains((const void *)request->dst, span(request)))
		return CUDA_ERROR_INVALID_VALUE;
	*out_work = (struct work){.kind = WORK_MEMSET,
				  .memset = {.destination = (unsigned char *)request->dst,
					     .width = request->width,
					     .height = request->height,
					     .pitch = request->pitch,
					     .element_size = request->elementSize,
					     .value = request->value}};
	return CUDA_SUCCESS;
}

static CUresult submit(CUstream stream, CUDA_MEMSET_NODE_PARAMS request)
{
	struct work work;
	CUresult result = memset_make_work(&request, &work);
	if (result == CUDA_SUCCESS && (request.width == 0 || request.height == 0))
		return CUDA_SUCCESS;
	return result == CUDA_SUCCESS ? stream_submit(stream, &work) : result;
}

static CUDA_MEMSET_NODE_PARAMS row_of(CUdeviceptr address, unsigned element_size, unsigned value,
				      size_t count)
{
	return (CUDA_MEMSET_NODE_PARAMS){.dst = address,
					 .elementSize = element_size,
					 .value = value,
					 .width = count,
					 .height = 1};
}

static CUDA_MEMSET_NODE_PARAMS rows_of(CUdeviceptr address, size_t pitch, unsigned element_size,
				       unsigned value, size_t width, size_t height)
{
	CUDA_MEMSET_NODE_PARAMS request = row_of(address, element_size, value, width);
	request.pitch = pitch;
	request.height = height;
	return request;
}

CUresult sim_cuMemsetD8_v2(CUdeviceptr dstDevice, unsigned char uc, size_t N)
{
	return submit(NULL, row_of(dstDevice, 1, uc, N));
}

CUresult sim_cuMemsetD16_v2(CUdeviceptr dstDevice, unsigned short us, size_t N)
{
	return submit(NULL, row_of(dstDevice, 2, us, N));
}

CUresult sim_cuMemsetD32_v2(CUdeviceptr dstDevice, unsigned int ui, size_t N)
{
	return submit(NULL, row_of(dstDevice, 4, ui, N));
}

CUresult sim_cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream)
{
	return submit(hStream, row_of(dstDevice, 1, uc, N));
}

CUresult sim_cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream)
{
	return submit(hStream, row_of(dstDevice, 2, us, N));
}

CUresult sim_cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream)
{
	return submit(hStream, row_of(dstDevice, 4, ui, N));
}

CUresult sim_cuMemsetD2D8_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
			     size_t Height)
{
	return submit(NULL, rows_of(dstDevice, dstPitch, 1, uc, Width, Height));
}

CUresult sim_cuMemsetD2D16_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
			      size_t Width, size_t Height)
{
	return submit(NULL, rows_of(dstDevice, dstPitch, 2, us, Width, Height));
}

CUresult sim_cuMemsetD2D32_v2(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
			      size_t Height)
{
	return submit(NULL, rows_of(dstDevice, dstPitch, 4, ui, Width, Height));
}

CUresult sim_cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc,
			       size_t Width, size_t Height, CUstream hStream)
{
	return submit(hStream, rows_of(dstDevice, dstPitch, 1, uc, Width, Height));
}

CUresult sim_cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us,
				size_t Width, size_t Height, CUstream hStream)
{
	return submit(hStream, rows_of(dstDevice, dstPitch, 2, us, Width, Height));
}

CUresult sim_cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui,
				size_t Width, size_t Height, CUstream hStream)
{
	return submit(hStream, rows_of(dstDevice, dstPitch, 4, ui, Width, Height));
}
