/*
 * graph_params.c - the calls that get and set the parameters of nodes. Getters derive them from the
 * node's work, so they work for captured nodes too.
 */
#include <string.h>

#include "entry.h"
#include "graph_calls/graph_nodes.h"
#include "graphs/graph.h"
#include "handles.h"
#include "objects.h"
#include "sim.h"
#include "work/work.h"

static bool is_node_of(CUgraphNode node, CUgraphNodeType type)
{
	return handle_is(node, HANDLE_NODE) && node->type == type;
}

static CUresult set(CUgraphNode node, CUgraphNodeParams params)
{
	if (!is_node_of(node, params.type))
		return CUDA_ERROR_INVALID_VALUE;
	struct work work;
	CUgraph child = NULL;
	CUresult result = node_make(&params, &work, &child);
	if (result == CUDA_SUCCESS)
		graph_node_replace(node, &work, child);
	return result;
}

CUresult sim_cuGraphNodeSetParams(CUgraphNode hNode, CUgraphNodeParams *nodeParams)
{
	return nodeParams ? set(hNode, *nodeParams) : CUDA_ERROR_INVALID_VALUE;
}

/* Return pointers into the node's parameter buffer, valid until the node changes. */
static void **param_pointers(CUgraphNode node)
{
	const struct kernel_work *work = &node->work.kernel;
	const struct simcuda_kernel *kernel = work->function->kernel;
	if (!node->param_pointers) {
		node->param_pointers = sim_alloc(kernel->n_params * sizeof(void *));
		for (size_t i = 0; i < kernel->n_params; i++)
			node->param_pointers[i] = work->params + kernel->offsets[i];
	}
	return node->param_pointers;
}

CUresult sim_cuGraphKernelNodeGetParams(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	if (!nodeParams || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	const struct kernel_work *work = &hNode->work.kernel;
	*nodeParams = (CUDA_KERNEL_NODE_PARAMS_v1){.func = work->function,
						   .gridDimX = work->grid.x,
						   .gridDimY = work->grid.y,
						   .gridDimZ = work->grid.z,
						   .blockDimX = work->block.x,
						   .blockDimY = work->block.y,
						   .blockDimZ = work->block.z,
						   .sharedMemBytes = work->shared_bytes,
						   .kernelParams = param_pointers(hNode)};
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphKernelNodeGetParams_v2(CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	CUDA_KERNEL_NODE_PARAMS_v1 common;
	CUresult result = sim_cuGraphKernelNodeGetParams(hNode, &common);
	if (!nodeParams)
		return CUDA_ERROR_INVALID_VALUE;
	if (result != CUDA_SUCCESS)
		return result;
	memset(nodeParams, 0, sizeof(*nodeParams));
	memcpy(nodeParams, &common, sizeof(common));
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphKernelNodeSetParams(CUgraphNode hNode,
					const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	return set(hNode, node_kernel_params_v1(nodeParams));
}

CUresult sim_cuGraphKernelNodeSetParams_v2(CUgraphNode hNode,
					   const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	return set(hNode, node_kernel_params(nodeParams));
}

static size_t rows_per_slice(size_t slice, size_t pitch)
{
	return pitch ? slice / pitch : 0;
}

/*
 * Only the attribute for updates by kernels can be set: after that, the known parameters of the
 * node may be out of date.
 */
CUresult sim_cuGraphKernelNodeSetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
					   const CUkernelNodeAttrValue *value)
{
	if (!value || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	if (attr != CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
		return CUDA_ERROR_NOT_SUPPORTED;
	hNode->is_updatable = value->deviceUpdatableKernelNode.deviceUpdatable != 0;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphKernelNodeGetAttribute(CUgraphNode hNode, CUkernelNodeAttrID attr,
					   CUkernelNodeAttrValue *value_out)
{
	if (!value_out || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_KERNEL))
		return CUDA_ERROR_INVALID_VALUE;
	if (attr == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
		value_out->deviceUpdatableKernelNode.deviceUpdatable = hNode->is_updatable;
	else if (attr == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		value_out->cooperative = hNode->work.kernel.is_cooperative;
	else
		return CUDA_ERROR_NOT_SUPPORTED;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphMemcpyNodeGetParams(CUgraphNode hNode, CUDA_MEMCPY3D *nodeParams)
{
	if (!nodeParams || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_MEMCPY))
		return CUDA_ERROR_INVALID_VALUE;
	const struct copy_work *work = &hNode->work.copy;
	*nodeParams = (CUDA_MEMCPY3D){
		.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
		.srcDevice = (CUdeviceptr)work->source,
		.srcPitch = work->source_pitch,
		.srcHeight = rows_per_slice(work->source_slice, work->source_pitch),
		.dstMemoryType = CU_MEMORYTYPE_UNIFIED,
		.dstDevice = (CUdeviceptr)work->destination,
		.dstPitch = work->destination_pitch,
		.dstHeight = rows_per_slice(work->destination_slice, work->destination_pitch),
		.WidthInBytes = work->width,
		.Height = work->height,
		.Depth = work->depth,
	};
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphMemcpyNodeSetParams(CUgraphNode hNode, const CUDA_MEMCPY3D *nodeParams)
{
	return set(hNode, node_memcpy_params(nodeParams));
}

CUresult sim_cuGraphMemsetNodeGetParams(CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	if (!nodeParams || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_MEMSET))
		return CUDA_ERROR_INVALID_VALUE;
	const struct memset_work *work = &hNode->work.memset;
	*nodeParams = (CUDA_MEMSET_NODE_PARAMS){.dst = (CUdeviceptr)work->destination,
						.pitch = work->pitch,
						.value = work->value,
						.elementSize = work->element_size,
						.width = work->width,
						.height = work->height};
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphMemsetNodeSetParams(CUgraphNode hNode,
					const CUDA_MEMSET_NODE_PARAMS *nodeParams)
{
	return set(hNode, node_memset_params(nodeParams));
}

CUresult sim_cuGraphHostNodeGetParams(CUgraphNode hNode, CUDA_HOST_NODE_PARAMS *nodeParams)
{
	if (!nodeParams || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_HOST))
		return CUDA_ERROR_INVALID_VALUE;
	nodeParams->fn = hNode->work.host.function;
	nodeParams->userData = hNode->work.host.data;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphHostNodeSetParams(CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return set(hNode, node_host_params(nodeParams));
}

CUresult sim_cuGraphChildGraphNodeGetGraph(CUgraphNode hNode, CUgraph *phGraph)
{
	if (!phGraph || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	*phGraph = hNode->child;
	return CUDA_SUCCESS;
}

static CUresult get_event(CUgraphNode node, CUgraphNodeType type, CUevent *out_event)
{
	if (!out_event || !is_node_of(node, type))
		return CUDA_ERROR_INVALID_VALUE;
	*out_event = node->work.event.event;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphEventRecordNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
	return get_event(hNode, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event_out);
}

CUresult sim_cuGraphEventWaitNodeGetEvent(CUgraphNode hNode, CUevent *event_out)
{
	return get_event(hNode, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event_out);
}

CUresult sim_cuGraphEventRecordNodeSetEvent(CUgraphNode hNode, CUevent event)
{
	return set(hNode, node_event_params(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}

CUresult sim_cuGraphEventWaitNodeSetEvent(CUgraphNode hNode, CUevent event)
{
	return set(hNode, node_event_params(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult sim_cuGraphBatchMemOpNodeGetParams(CUgraphNode hNode,
					    CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams_out)
{
	if (!nodeParams_out || !is_node_of(hNode, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP))
		return CUDA_ERROR_INVALID_VALUE;
	*nodeParams_out = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
		.count = (unsigned)hNode->work.memops.count, .paramArray = hNode->work.memops.list};
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphBatchMemOpNodeSetParams(CUgraphNode hNode,
					    const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return set(hNode, node_memop_params(nodeParams));
}
