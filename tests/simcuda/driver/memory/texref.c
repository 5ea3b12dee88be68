/*
 * texref.c - create, bind and destroy texture references. Kernels of the simulation cannot read
 * through them.
 */
#include <stdlib.h>

#include "entry.h"
#include "handles.h"
#include "sim.h"

/* The last settings; a reference may be bound to an array or to memory. */
struct CUtexref_st {
	CUarray array;
	CUdeviceptr address;
	CUarray_format format;
	int n_components;
	unsigned flags;
};

CUresult sim_cuTexRefCreate(CUtexref *pTexRef)
{
	if (!pTexRef)
		return CUDA_ERROR_INVALID_VALUE;
	*pTexRef = sim_alloc(sizeof(**pTexRef));
	(*pTexRef)->format = CU_AD_FORMAT_FLOAT;
	(*pTexRef)->n_components = 1;
	handle_add(*pTexRef, HANDLE_TEXREF);
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefDestroy(CUtexref hTexRef)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	handle_remove(hTexRef);
	free(hTexRef);
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF) || !handle_is(hArray, HANDLE_ARRAY))
		return CUDA_ERROR_INVALID_HANDLE;
	if (Flags != CU_TRSA_OVERRIDE_FORMAT)
		return CUDA_ERROR_INVALID_VALUE;
	hTexRef->array = hArray;
	hTexRef->address = 0;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefGetArray(CUarray *phArray, CUtexref hTexRef)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!phArray || !hTexRef->array)
		return CUDA_ERROR_INVALID_VALUE;
	*phArray = hTexRef->array;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefSetAddress_v2(size_t *ByteOffset, CUtexref hTexRef, CUdeviceptr dptr,
				   size_t bytes)
{
	(void)bytes;
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	if (ByteOffset)
		*ByteOffset = 0;
	hTexRef->array = NULL;
	hTexRef->address = dptr;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefGetAddress_v2(CUdeviceptr *pdptr, CUtexref hTexRef)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!pdptr || !hTexRef->address)
		return CUDA_ERROR_INVALID_VALUE;
	*pdptr = hTexRef->address;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	hTexRef->format = fmt;
	hTexRef->n_components = NumPackedComponents;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefGetFormat(CUarray_format *pFormat, int *pNumChannels, CUtexref hTexRef)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	if (pFormat)
		*pFormat = hTexRef->format;
	if (pNumChannels)
		*pNumChannels = hTexRef->n_components;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	hTexRef->flags = Flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuTexRefGetFlags(unsigned int *pFlags, CUtexref hTexRef)
{
	if (!handle_is(hTexRef, HANDLE_TEXREF))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!pFlags)
		return CUDA_ERROR_INVALID_VALUE;
	*pFlags = hTexRef->flags;
	return CUDA_SUCCESS;
}
