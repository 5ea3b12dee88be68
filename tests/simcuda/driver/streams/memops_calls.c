/*
 * memops_calls.c - the calls that submit memory operations to a stream.
 */
#include <string.h>

#include "entry.h"
#include "sim.h"
#include "streams/stream.h"
#include "work/memops.h"
#include "work/work.h"

static CUresult submit(CUstream stream, const CUstreamBatchMemOpParams *list, size_t count)
{
	struct work work = {.kind = WORK_MEMOPS, .memops.count = count};
	CUresult result = memops_check(list, count);
	if (result != CUDA_SUCCESS)
		return result;
	work.memops.list = sim_alloc(count * sizeof(*list));
	if (count)
		memcpy(work.memops.list, list, count * sizeof(*list));
	return stream_submit(stream, &work);
}

CUresult sim_cuStreamBatchMemOp_v2(CUstream stream, unsigned int count,
				   CUstreamBatchMemOpParams *paramArray, unsigned int flags)
{
	if (flags != 0 || count > 256)
		return CUDA_ERROR_INVALID_VALUE;
	return submit(stream, paramArray, count);
}

CUresult sim_cuStreamBatchMemOp(CUstream stream, unsigned int count,
				CUstreamBatchMemOpParams *paramArray, unsigned int flags)
{
	return sim_cuStreamBatchMemOp_v2(stream, count, paramArray, flags);
}

CUresult sim_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				    unsigned int flags)
{
	CUstreamBatchMemOpParams params = {
		.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32,
			      .address = addr,
			      .value = value,
			      .flags = flags}};
	return submit(stream, &params, 1);
}

CUresult sim_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				    unsigned int flags)
{
	CUstreamBatchMemOpParams params = {
		.waitValue = {.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64,
			      .address = addr,
			      .value64 = value,
			      .flags = flags}};
	return submit(stream, &params, 1);
}

CUresult sim_cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				     unsigned int flags)
{
	CUstreamBatchMemOpParams params = {
		.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32,
			       .address = addr,
			       .value = value,
			       .flags = flags}};
	return submit(stream, &params, 1);
}

CUresult sim_cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				     unsigned int flags)
{
	CUstreamBatchMemOpParams params = {
		.writeValue = {.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64,
			       .address = addr,
			       .value64 = value,
			       .flags = flags}};
	return submit(stream, &params, 1);
}

CUresult sim_cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				 unsigned int flags)
{
	return sim_cuStreamWaitValue32_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				 unsigned int flags)
{
	return sim_cuStreamWaitValue64_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, cuuint32_t value,
				  unsigned int flags)
{
	return sim_cuStreamWriteValue32_v2(stream, addr, value, flags);
}

CUresult sim_cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, cuuint64_t value,
				  unsigned int flags)
{
	return sim_cuStreamWriteValue64_v2(stream, addr, value, flags);
}
