/*
 * array.c - arrays, and creating and destroying texture and surface objects. Kernels of the
 * simulation cannot read through these.
 */
#include "memory/array.h"

#include <stdbool.h>
#include <stdlib.h>

#include "addresses/memory.h"
#include "entry.h"
#include "handles.h"
#include "objects.h"
#include "sim.h"

static size_t format_bytes(CUarray_format format)
{
	switch ((unsigned)format) {
	case CU_AD_FORMAT_UNSIGNED_INT8:
	case CU_AD_FORMAT_SIGNED_INT8:
		return 1;
	case CU_AD_FORMAT_UNSIGNED_INT16:
	case CU_AD_FORMAT_SIGNED_INT16:
	case CU_AD_FORMAT_HALF:
		return 2;
	case CU_AD_FORMAT_UNSIGNED_INT32:
	case CU_AD_FORMAT_SIGNED_INT32:
	case CU_AD_FORMAT_FLOAT:
		return 4;
	default:
		return 0;
	}
}

static size_t at_least_one(size_t count)
{
	return count ? count : 1;
}

CUresult sim_cuArray3DCreate_v2(CUarray *pHandle, const CUDA_ARRAY3D_DESCRIPTOR *pAllocateArray)
{
	struct memory_range model = {.kind = MEMORY_DEVICE, .device = context_current()->device};
	struct CUarray_st array = {0};
	uintptr_t base = 0;
	if (!pHandle || !pAllocateArray || pAllocateArray->Width == 0 ||
	    format_bytes(pAllocateArray->Format) == 0)
		return CUDA_ERROR_INVALID_VALUE;
	array.descriptor = *pAllocateArray;
	array.pitch = pAllocateArray->Width * at_least_one(pAllocateArray->NumChannels) *
		      format_bytes(pAllocateArray->Format);
	array.slice = array.pitch * at_least_one(pAllocateArray->Height);
	model.size = array.slice * at_least_one(pAllocateArray->Depth);
	CUresult result = memory_allocate(model, &base);
	if (result != CUDA_SUCCESS)
		return result;
	array.data = base;
	*pHandle = sim_alloc(sizeof(array));
	**pHandle = array;
	handle_add(*pHandle, HANDLE_ARRAY);
	return CUDA_SUCCESS;
}

CUresult sim_cuArrayCreate_v2(CUarray *pHandle, const CUDA_ARRAY_DESCRIPTOR *pAllocateArray)
{
	CUDA_ARRAY3D_DESCRIPTOR descriptor = {0};
	if (!pAllocateArray)
		return CUDA_ERROR_INVALID_VALUE;
	descriptor.Width = pAllocateArray->Width;
	descriptor.Height = pAllocateArray->Height;
	descriptor.Format = pAllocateArray->Format;
	descriptor.NumChannels = pAllocateArray->NumChannels;
	return sim_cuArray3DCreate_v2(pHandle, &descriptor);
}

CUresult sim_cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
	if (!pArrayDescriptor || !handle_is(hArray, HANDLE_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	*pArrayDescriptor = hArray->descriptor;
	return CUDA_SUCCESS;
}

CUresult sim_cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *pArrayDescriptor, CUarray hArray)
{
	if (!pArrayDescriptor || !handle_is(hArray, HANDLE_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	pArrayDescriptor->Width = hArray->descriptor.Width;
	pArrayDescriptor->Height = hArray->descriptor.Height;
	pArrayDescriptor->Format = hArray->descriptor.Format;
	pArrayDescriptor->NumChannels = hArray->descriptor.NumChannels;
	return CUDA_SUCCESS;
}

CUresult sim_cuArrayDestroy(CUarray hArray)
{
	if (!handle_is(hArray, HANDLE_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	handle_remove(hArray);
	memory_free((const void *)hArray->data);
	free(hArray);
	return CUDA_SUCCESS;
}

/* An object is a copy of its resource description, whose address is the handle. */
static CUresult create_object(unsigned long long *out_object, const CUDA_RESOURCE_DESC *resource)
{
	if (!out_object || !resource)
		return CUDA_ERROR_INVALID_VALUE;
	CUDA_RESOURCE_DESC *object = sim_alloc(sizeof(*object));
	*object = *resource;
	handle_add(object, HANDLE_OBJECT);
	*out_object = (unsigned long long)(uintptr_t)object;
	return CUDA_SUCCESS;
}

static CUresult destroy_object(unsigned long long handle)
{
	void *object = (void *)(uintptr_t)handle;
	if (!handle_is(object, HANDLE_OBJECT))
		return CUDA_ERROR_INVALID_VALUE;
	handle_remove(object);
	free(object);
	return CUDA_SUCCESS;
}

static CUresult get_resource(CUDA_RESOURCE_DESC *out_resource, unsigned long long handle)
{
	const void *object = (const void *)(uintptr_t)handle;
	if (!out_resource || !handle_is(object, HANDLE_OBJECT))
		return CUDA_ERROR_INVALID_VALUE;
	*out_resource = *(const CUDA_RESOURCE_DESC *)object;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexObjectCreate(CUtexObject *pTexObject, const CUDA_RESOURCE_DESC *pResDesc,
			       const CUDA_TEXTURE_DESC *pTexDesc,
			       const CUDA_RESOURCE_VIEW_DESC *pResViewDesc)
{
	(void)pTexDesc;
	(void)pResViewDesc;
	return create_object(pTexObject, pResDesc);
}

CUresult sim_cuTexObjectDestroy(CUtexObject texObject)
{
	return destroy_object(texObject);
}

CUresult sim_cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUtexObject texObject)
{
	return get_resource(pResDesc, texObject);
}

CUresult sim_cuSurfObjectCreate(CUsurfObject *pSurfObject, const CUDA_RESOURCE_DESC *pResDesc)
{
	return create_object(pSurfObject, pResDesc);
}

CUresult sim_cuSurfObjectDestroy(CUsurfObject surfObject)
{
	return destroy_object(surfObject);
}

CUresult sim_cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *pResDesc, CUsurfObject surfObject)
{
	return get_resource(pResDesc, surfObject);
}
