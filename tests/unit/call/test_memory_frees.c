/*
 * test_memory_frees.c - the journal after calls that free memory, or are refused memory.
 */
#include "base/journal_format.h"
#include "call/memory_case.h"
#include "support/check.h"

static void create(CUmemLocationType type, int id, CUresult result)
{
	CUmemGenericAllocationHandle handle = 0x500;
	const CUmemAllocationProp prop = {.location = {.type = type, .id = id}};
	REFUSED(result, cuMemCreate, .handle = &handle, .size = 6, .prop = &prop);
}

static void test_rejected(void)
{
	const CUresult full = CUDA_ERROR_OUT_OF_MEMORY;
	const CUresult again = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
	REFUSED(full, cuMemAlloc_v2, .bytesize = 1);
	REFUSED(full, cuMemAllocManaged, .bytesize = 2);
	REFUSED(full, cuMemAllocAsync, .bytesize = 3);
	REFUSED(full, cuMemAllocFromPoolAsync, .bytesize = 4);
	REFUSED(full, cuMemAllocPitch_v2, .WidthInBytes = 5, .Height = 6);
	REFUSED(full, cuMemAllocHost_v2, .bytesize = 7);
	REFUSED(full, cuMemHostRegister_v2, .bytesize = 8);
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemAlloc_v2, .bytesize = 9);
	REFUSED(again, cuMemAlloc_v2, .bytesize = 10);
	REFUSED(again, cuMemHostRegister_v2, .p = (void *)0x200, .bytesize = 11);
	REFUSED(CUDA_ERROR_INVALID_VALUE, cuMemHostRegister_v2, .bytesize = 12);
	create(CU_MEM_LOCATION_TYPE_DEVICE, 5, full);
	create(CU_MEM_LOCATION_TYPE_INVALID, 6, full);
	memory_case.has_failed = true;
	REFUSED(full, cuMemAlloc_v2, .bytesize = 13);
	memory_case.has_failed = false;
	CHECK_TRACE("device -1 refused 1 by cuMemAlloc_v2\n"
		    "device -1 refused 2 by cuMemAllocManaged\n"
		    "device -1 refused 3 by cuMemAllocAsync\n"
		    "device -1 refused 4 by cuMemAllocFromPoolAsync\n"
		    "device -1 refused 30 by cuMemAllocPitch_v2\n"
		    "cuMemHostRegister_v2 refused 200 of 11\n"
		    "device 5 refused 6 by cuMemCreate\n");
}

static void test_frees(void)
{
	FREED(CUDA_SUCCESS, cuMemFree_v2, .dptr = 1);
	FREED(CUDA_SUCCESS, cuMemFree_v2, .dptr = 0);
	FREED(CUDA_SUCCESS, cuMemFreeAsync, .dptr = 2);
	FREED(CUDA_SUCCESS, cuMemFreeHost, .p = (void *)3);
	FREED(CUDA_SUCCESS, cuMemHostUnregister, .p = (void *)4);
	FREED(CUDA_SUCCESS, cuIpcCloseMemHandle, .dptr = 5);
	FREED(CUDA_SUCCESS, cuMemRelease, .handle = 6);
	FREED(CUDA_SUCCESS, cuMemAddressFree, .ptr = 7, .size = 8);
	FREED(CUDA_SUCCESS, cuArrayDestroy, .hArray = (CUarray)9);
	FREED(CUDA_SUCCESS, cuMipmappedArrayDestroy, .hMipmappedArray = (CUmipmappedArray)10);
	FREED(CUDA_SUCCESS, cuMemUnmap, .ptr = 11, .size = 12);
	CHECK_TRACE("free 1 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 2 (6) by cuMemFreeAsync on stream 50\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 3 (4) by cuMemFreeHost\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 4 (5) by cuMemHostUnregister\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 5 (9) by cuIpcCloseMemHandle\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 6 (12) by cuMemRelease\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 7 (11) by cuMemAddressFree\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 9 (13) by cuArrayDestroy\n"
		    "settle\n"
		    "8 is gone\n"
		    "free a (14) by cuMipmappedArrayDestroy\n"
		    "settle\n"
		    "8 is gone\n"
		    "free all b of 12 by cuMemUnmap\n"
		    "settle\n"
		    "9 is gone\n");
}

/* A failed free also frees the memory if the context or the process no longer exists. */
static void test_failed_frees(void)
{
	FREED(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2, .dptr = 1);
	FREED((CUresult)RESULT_PENDING, cuMemFree_v2, .dptr = 2);
	FREED(CUDA_ERROR_DEINITIALIZED, cuMemFree_v2, .dptr = 3);
	FREED(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemFree_v2, .dptr = 4);
	FREED(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree_v2, .dptr = 5);
	FREED(CUDA_ERROR_INVALID_VALUE, cuMemFreeHost, .p = (void *)6);
	FREED(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister, .p = (void *)7);
	FREED(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemHostUnregister, .p = (void *)8);
	CHECK_TRACE("free 1 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is still there\n"
		    "free 2 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 3 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 4 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 5 (1) by cuMemFree_v2\n"
		    "settle\n"
		    "8 is gone\n"
		    "free 6 (4) by cuMemFreeHost\n"
		    "settle\n"
		    "8 is still there\n"
		    "cuMemFreeHost refused 6 (4)\n"
		    "free 7 (5) by cuMemHostUnregister\n"
		    "settle\n"
		    "8 is still there\n"
		    "cuMemHostUnregister refused 7 (5)\n"
		    "free 8 (5) by cuMemHostUnregister\n"
		    "settle\n"
		    "8 is gone\n");
}

/* The verdict describes the memory as it was at the failure. */
static void test_after_failure(void)
{
	memory_case_context_ended(CALL_cuCtxDestroy_v2, 5);
	memory_case.has_failed = true;
	memory_case_context_ended(CALL_cuCtxDestroy_v2, 6);
	FREED(CUDA_SUCCESS, cuMemFree_v2, .dptr = 1);
	memory_case.has_failed = false;
	CHECK_TRACE("context 5 ends by cuCtxDestroy_v2\n");
}

int main(void)
{
	test_rejected();
	test_frees();
	test_failed_frees();
	test_after_failure();
	return 0;
}
