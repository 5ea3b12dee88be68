/*
 * graph_nodes.c - convert descriptions of nodes to work.
 */
#include "graph_calls/graph_nodes.h"

#include <string.h>

#include "graphs/graph.h"
#include "handles.h"
#include "memory/copy.h"
#include "memory/memset.h"
#include "objects.h"
#include "sim.h"
#include "streams/launch.h"
#include "work/event.h"
#include "work/memops.h"
#include "work/work.h"

/* Parameters of an invalid type, which stand for a missing description. */
#define MISSING ((CUgraphNodeParams){.type = (CUgraphNodeType)-1})

CUgraphNodeParams node_kernel_params(const CUDA_KERNEL_NODE_PARAMS *kernel)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
	if (!kernel)
		return MISSING;
	memcpy(&params.kernel, kernel, sizeof(*kernel));
	return params;
}

CUgraphNodeParams node_kernel_params_v1(const CUDA_KERNEL_NODE_PARAMS_v1 *kernel)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_KERNEL};
	if (!kernel)
		return MISSING;
	memcpy(&params.kernel, kernel, sizeof(*kernel));
	return params;
}

CUgraphNodeParams node_memcpy_params(const CUDA_MEMCPY3D *copy)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};
	if (!copy)
		return MISSING;
	params.memcpy.copyParams = *copy;
	return params;
}

CUgraphNodeParams node_memset_params(const CUDA_MEMSET_NODE_PARAMS *memset_params)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_MEMSET};
	if (!memset_params)
		return MISSING;
	memcpy(&params.memset, memset_params, sizeof(*memset_params));
	return params;
}

CUgraphNodeParams node_host_params(const CUDA_HOST_NODE_PARAMS *host)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_HOST};
	if (!host)
		return MISSING;
	params.host.fn = host->fn;
	params.host.userData = host->userData;
	return params;
}

CUgraphNodeParams node_memop_params(const CUDA_BATCH_MEM_OP_NODE_PARAMS *memop)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP};
	if (!memop)
		return MISSING;
	memcpy(&params.memOp, memop, sizeof(*memop));
	return params;
}

CUgraphNodeParams node_child_params(CUgraph child)
{
	return (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph.graph = child};
}

CUgraphNodeParams node_event_params(CUgraphNodeType type, CUevent event)
{
	return (CUgraphNodeParams){.type = type, .eventRecord.event = event};
}

static CUresult make_kernel(const CUDA_KERNEL_NODE_PARAMS_v3 *kernel, struct work *out_work)
{
	struct launch_request request = {
		.function = kernel->func ? (const void *)kernel->func : (const void *)kernel->kern,
		.grid = {kernel->gridDimX, kernel->gridDimY, kernel->gridDimZ},
		.block = {kernel->blockDimX, kernel->blockDimY, kernel->blockDimZ},
		.shared_bytes = kernel->sharedMemBytes,
		.params = kernel->kernelParams,
		.extra = kernel->extra,
	};
	return launch_make_work(&request, out_work);
}

static CUresult make_memset(const CUDA_MEMSET_NODE_PARAMS_v2 *params, struct work *out_work)
{
	CUDA_MEMSET_NODE_PARAMS request = {.dst = params->dst,
					   .pitch = params->pitch,
					   .value = params->value,
					   .elementSize = params->elementSize,
					   .width = params->width,
					   .height = params->height};
	return memset_make_work(&request, out_work);
}

static CUresult make_event(enum work_kind kind, CUevent event, struct work *out_work)
{
	if (!handle_is(event, HANDLE_EVENT))
		return CUDA_ERROR_INVALID_HANDLE;
	event_reference(event);
	*out_work = (struct work){.kind = kind, .event.event = event};
	return CUDA_SUCCESS;
}

static CUresult make_memops(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 *params, struct work *out_work)
{
	CUresult result = memops_check(params->paramArray, params->count);
	size_t size = params->count * sizeof(*params->paramArray);
	if (result != CUDA_SUCCESS)
		return result;
	*out_work = (struct work){.kind = WORK_MEMOPS,
				  .memops = {.list = sim_alloc(size), .count = params->count}};
	if (size)
		memcpy(out_work->memops.list, params->paramArray, size);
	return CUDA_SUCCESS;
}

static CUresult make_host(const CUDA_HOST_NODE_PARAMS_v2 *params, struct work *out_work)
{
	if (!params->fn)
		return CUDA_ERROR_INVALID_VALUE;
	*out_work = (struct work){.kind = WORK_HOST,
				  .host = {.function = params->fn, .data = params->userData}};
	return CUDA_SUCCESS;
}

static CUresult make_child(CUgraph graph, CUgraph *out_child)
{
	if (!handle_is(graph, HANDLE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	*out_child = graph_clone(graph);
	return CUDA_SUCCESS;
}

CUresult node_make(const CUgraphNodeParams *params, struct work *out_work, CUgraph *out_child)
{
	*out_work = (struct work){.kind = WORK_EMPTY};
	*out_child = NULL;
	switch ((int)params->type) {
	case CU_GRAPH_NODE_TYPE_KERNEL:
		return make_kernel(&params->kernel, out_work);
	case CU_GRAPH_NODE_TYPE_MEMCPY:
		return copy_make_work(&params->memcpy.copyParams, out_work);
	case CU_GRAPH_NODE_TYPE_MEMSET:
		return make_memset(&params->memset, out_work);
	case CU_GRAPH_NODE_TYPE_HOST:
		return make_host(&params->host, out_work);
	case CU_GRAPH_NODE_TYPE_GRAPH:
		return make_child(params->graph.graph, out_child);
	case CU_GRAPH_NODE_TYPE_EMPTY:
		return CUDA_SUCCESS;
	case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
		return make_event(WORK_EVENT_WAIT, params->eventWait.event, out_work);
	case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
		return make_event(WORK_EVENT_RECORD, params->eventRecord.event, out_work);
	case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
		return make_memops(&params->memOp, out_work);
	case -1:
		return CUDA_ERROR_INVALID_VALUE;
	default:
		return CUDA_ERROR_NOT_SUPPORTED;
	}
}
