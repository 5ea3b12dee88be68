/*
 * memops.c - stream memory operations. Markers use writes to show the GPU's progress, so a write
 * stays visible whatever happens later: it has release order, and its memory is never cleared.
 */
#include "work/memops.h"

#include <stdatomic.h>
#include <string.h>

#include "addresses/memory.h"
#include "failure/fault.h"

static bool is_wait(const CUstreamBatchMemOpParams *params)
{
	return params->operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 ||
	       params->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

static bool is_64_bit(const CUstreamBatchMemOpParams *params)
{
	return params->operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 ||
	       params->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
}

static bool is_satisfied(uint64_t found, uint64_t wanted, unsigned flags, bool is_wide)
{
	uint64_t difference = found - wanted;
	if (!is_wide)
		difference = (uint64_t)(int64_t)(int32_t)difference;
	switch (flags & 3u) {
	case CU_STREAM_WAIT_VALUE_GEQ:
		return (int64_t)difference >= 0;
	case CU_STREAM_WAIT_VALUE_EQ:
		return difference == 0;
	case CU_STREAM_WAIT_VALUE_AND:
		return (found & wanted) != 0;
	default:
		return ~(found | wanted) << (is_wide ? 0 : 32) != 0;
	}
}

struct value_check {
	const CUstreamBatchMemOpParams *params;
	bool is_satisfied;
};

static void check_value(void *argument)
{
	struct value_check *check = argument;
	const CUstreamBatchMemOpParams *params = check->params;
	void *address = (void *)params->waitValue.address;
	bool is_wide = is_64_bit(params);
	uint64_t found = is_wide ? __atomic_load_n((uint64_t *)address, __ATOMIC_ACQUIRE)
				 : __atomic_load_n((uint32_t *)address, __ATOMIC_ACQUIRE);
	check->is_satisfied =
		is_satisfied(found, is_wide ? params->waitValue.value64 : params->waitValue.value,
			     params->waitValue.flags, is_wide);
}

bool memops_are_ready(const struct memops_work *work)
{
	struct value_check check = {.params = &work->list[work->n_done]};
	if (work->n_done == work->count || !is_wait(check.params))
		return true;
	return fault_guard(check_value, &check) != CUDA_SUCCESS || check.is_satisfied;
}

static void write_value(void *argument)
{
	const CUstreamBatchMemOpParams *params = argument;
	void *address = (void *)params->writeValue.address;
	if (is_64_bit(params))
		__atomic_store_n((uint64_t *)address, params->writeValue.value64, __ATOMIC_RELEASE);
	else
		__atomic_store_n((uint32_t *)address, params->writeValue.value, __ATOMIC_RELEASE);
}

static CUresult run_one(CUstreamBatchMemOpParams *params)
{
	struct value_check check = {.params = params};
	if (is_wait(params)) {
		CUresult result = fault_guard(check_value, &check);
		return result == CUDA_SUCCESS && !check.is_satisfied ? WORK_UNFINISHED : result;
	}
	if (params->operation == CU_STREAM_MEM_OP_WRITE_VALUE_32 ||
	    params->operation == CU_STREAM_MEM_OP_WRITE_VALUE_64)
		return fault_guard(write_value, params);
	return CUDA_SUCCESS;
}

CUresult memops_run(struct memops_work *work)
{
	CUresult result = CUDA_SUCCESS;
	while (result == CUDA_SUCCESS && work->n_done < work->count) {
		result = run_one(&work->list[work->n_done]);
		work->n_done += result == CUDA_SUCCESS;
	}
	return result;
}

static CUresult check_one(const CUstreamBatchMemOpParams *params)
{
	size_t size = is_64_bit(params) ? 8 : 4;
	/* The address is at the same offset in both structures, the flags are not. */
	CUdeviceptr address = params->writeValue.address;
	switch (params->operation) {
	case CU_STREAM_MEM_OP_WAIT_VALUE_32:
	case CU_STREAM_MEM_OP_WAIT_VALUE_64:
		break;
	case CU_STREAM_MEM_OP_WRITE_VALUE_32:
	case CU_STREAM_MEM_OP_WRITE_VALUE_64:
		/* The real driver refused this on every GPU that was tried. */
		if (params->writeValue.flags & CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER)
			return CUDA_ERROR_INVALID_VALUE;
		break;
	case CU_STREAM_MEM_OP_BARRIER:
	case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
	if (address % size != 0 || !memory_contains((const void *)address, size))
		return CUDA_ERROR_INVALID_VALUE;
	return CUDA_SUCCESS;
}

CUresult memops_check(const CUstreamBatchMemOpParams *list, size_t count)
{
	CUresult result = list || count == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
		result = check_one(&list[i]);
	return result;
}
