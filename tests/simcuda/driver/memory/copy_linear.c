/*
 * copy_linear.c - the calls that copy contiguous bytes between any two kinds of memory.
 */
#include "addresses/memory.h"
#include "entry.h"
#include "handles.h"
#include "memory/array.h"
#include "memory/copy.h"

static struct copy_place device_place(CUdeviceptr address)
{
	return (struct copy_place){.address = address};
}

static struct copy_place host_place(const void *address)
{
	return (struct copy_place){.address = (CUdeviceptr)address, .is_host = true};
}

/* Derive the kind of memory from the address alone. */
static struct copy_place unified_place(CUdeviceptr address)
{
	return (struct copy_place){.address = address,
				   .is_host = !memory_find((const void *)address)};
}

static CUresult submit(CUstream stream, struct copy_place destination, struct copy_place source,
		       size_t size, enum copy_mode mode)
{
	return copy_submit(stream, &destination, &source, (struct copy_size){size, 1, 1}, mode);
}

/* The later check of the range detects an offset beyond the array. */
static CUresult array_place(CUarray array, size_t offset, struct copy_place *out_place)
{
	if (!handle_is(array, HANDLE_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	*out_place = device_place(array->data + offset);
	return CUDA_SUCCESS;
}

static CUresult to_array(CUstream stream, CUarray array, size_t offset, struct copy_place source,
			 size_t size, enum copy_mode mode)
{
	struct copy_place destination;
	CUresult result = array_place(array, offset, &destination);
	if (result != CUDA_SUCCESS)
		return result;
	return submit(stream, destination, source, size, mode);
}

static CUresult from_array(CUstream stream, struct copy_place destination, CUarray array,
			   size_t offset, size_t size, enum copy_mode mode)
{
	struct copy_place source;
	CUresult result = array_place(array, offset, &source);
	if (result != CUDA_SUCCESS)
		return result;
	return submit(stream, destination, source, size, mode);
}

CUresult sim_cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount)
{
	return submit(NULL, unified_place(dst), unified_place(src), ByteCount, COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream)
{
	return submit(hStream, unified_place(dst), unified_place(src), ByteCount,
		      COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyHtoD_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount)
{
	return submit(NULL, device_place(dstDevice), host_place(srcHost), ByteCount,
		      COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyHtoDAsync_v2(CUdeviceptr dstDevice, const void *srcHost, size_t ByteCount,
				  CUstream hStream)
{
	return submit(hStream, device_place(dstDevice), host_place(srcHost), ByteCount,
		      COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyDtoH_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount)
{
	return submit(NULL, host_place(dstHost), device_place(srcDevice), ByteCount,
		      COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyDtoHAsync_v2(void *dstHost, CUdeviceptr srcDevice, size_t ByteCount,
				  CUstream hStream)
{
	return submit(hStream, host_place(dstHost), device_place(srcDevice), ByteCount,
		      COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyDtoD_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount)
{
	return submit(NULL, device_place(dstDevice), device_place(srcDevice), ByteCount,
		      COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyDtoDAsync_v2(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
				  CUstream hStream)
{
	return submit(hStream, device_place(dstDevice), device_place(srcDevice), ByteCount,
		      COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyPeer(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
			  CUcontext srcContext, size_t ByteCount)
{
	if (!handle_is(dstContext, HANDLE_CONTEXT) || !handle_is(srcContext, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	return sim_cuMemcpyDtoD_v2(dstDevice, srcDevice, ByteCount);
}

CUresult sim_cuMemcpyPeerAsync(CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice,
			       CUcontext srcContext, size_t ByteCount, CUstream hStream)
{
	if (!handle_is(dstContext, HANDLE_CONTEXT) || !handle_is(srcContext, HANDLE_CONTEXT))
		return CUDA_ERROR_INVALID_CONTEXT;
	return sim_cuMemcpyDtoDAsync_v2(dstDevice, srcDevice, ByteCount, hStream);
}

CUresult sim_cuMemcpyHtoA_v2(CUarray dstArray, size_t dstOffset, const void *srcHost,
			     size_t ByteCount)
{
	return to_array(NULL, dstArray, dstOffset, host_place(srcHost), ByteCount,
			COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyHtoAAsync_v2(CUarray dstArray, size_t dstOffset, const void *srcHost,
				  size_t ByteCount, CUstream hStream)
{
	return to_array(hStream, dstArray, dstOffset, host_place(srcHost), ByteCount,
			COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyDtoA_v2(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice,
			     size_t ByteCount)
{
	return to_array(NULL, dstArray, dstOffset, device_place(srcDevice), ByteCount,
			COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyAtoH_v2(void *dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount)
{
	return from_array(NULL, host_place(dstHost), srcArray, srcOffset, ByteCount,
			  COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyAtoHAsync_v2(void *dstHost, CUarray srcArray, size_t srcOffset,
				  size_t ByteCount, CUstream hStream)
{
	return from_array(hStream, host_place(dstHost), srcArray, srcOffset, ByteCount,
			  COPY_ASYNCHRONOUS);
}

CUresult sim_cuMemcpyAtoD_v2(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset,
			     size_t ByteCount)
{
	return from_array(NULL, device_place(dstDevice), srcArray, srcOffset, ByteCount,
			  COPY_SYNCHRONOUS);
}

CUresult sim_cuMemcpyAtoA_v2(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
			     size_t ByteCount)
{
	struct copy_place source;
	CUresult result = array_place(srcArray, srcOffset, &source);
	if (result != CUDA_SUCCESS)
		return result;
	return to_array(NULL, dstArray, dstOffset, source, ByteCount, COPY_SYNCHRONOUS);
}
