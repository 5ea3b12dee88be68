/*
 * graph_add.c - the calls that add nodes to graphs.
 */
#include <string.h>

#include "entry.h"
#include "graph_calls/graph_edges.h"
#include "graph_calls/graph_nodes.h"
#include "graphs/graph.h"
#include "handles.h"
#include "work/work.h"

static CUresult add(CUgraphNode *out_node, CUgraph graph, const CUgraphNode *dependencies,
		    size_t n_dependencies, CUgraphNodeParams params)
{
	if (!out_node || !handle_is(graph, HANDLE_GRAPH) || (n_dependencies && !dependencies) ||
	    !graph_has_nodes(graph, dependencies, n_dependencies))
		return CUDA_ERROR_INVALID_VALUE;
	struct work work;
	CUgraph child = NULL;
	CUresult result = node_make(&params, &work, &child);
	if (result == CUDA_SUCCESS)
		*out_node = graph_add_node(graph, params.type, &work, child, dependencies,
					   n_dependencies);
	return result;
}

/* The handle contains the value, and a number above it that makes it unique. */
CUresult sim_cuGraphConditionalHandleCreate(CUgraphConditionalHandle *pHandle_out, CUgraph hGraph,
					    CUcontext ctx, unsigned int defaultLaunchValue,
					    unsigned int flags)
{
	static uint64_t n_handles;
	(void)ctx;
	if (!pHandle_out || !handle_is(hGraph, HANDLE_GRAPH) ||
	    flags > CU_GRAPH_COND_ASSIGN_DEFAULT)
		return CUDA_ERROR_INVALID_VALUE;
	*pHandle_out = ++n_handles << 32 | (flags ? defaultLaunchValue : 0);
	return CUDA_SUCCESS;
}

/* Only "if" without "else" is supported, with a value that no kernel changes. */
static CUresult add_conditional(CUgraphNode *out_node, CUgraph graph,
				const CUgraphNode *dependencies, size_t n_dependencies,
				CUDA_CONDITIONAL_NODE_PARAMS *params)
{
	if (!out_node || !handle_is(graph, HANDLE_GRAPH) || (n_dependencies && !dependencies) ||
	    !graph_has_nodes(graph, dependencies, n_dependencies))
		return CUDA_ERROR_INVALID_VALUE;
	if (params->type != CU_GRAPH_COND_TYPE_IF || params->size != 1)
		return CUDA_ERROR_NOT_SUPPORTED;
	*out_node = graph_add_conditional(graph, params->handle, dependencies, n_dependencies);
	params->phGraph_out = &(*out_node)->child;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphAddNode(CUgraphNode *phGraphNode, CUgraph hGraph,
			    const CUgraphNode *dependencies, size_t numDependencies,
			    CUgraphNodeParams *nodeParams)
{
	if (!nodeParams)
		return CUDA_ERROR_INVALID_VALUE;
	if (nodeParams->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
		return add_conditional(phGraphNode, hGraph, dependencies, numDependencies,
				       &nodeParams->conditional);
	return add(phGraphNode, hGraph, dependencies, numDependencies, *nodeParams);
}

CUresult sim_cuGraphAddNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
			       const CUgraphNode *dependencies,
			       const CUgraphEdgeData *dependencyData, size_t numDependencies,
			       CUgraphNodeParams *nodeParams)
{
	if (!nodeParams || (numDependencies && !dependencies) ||
	    !graph_has_nodes(hGraph, dependencies, numDependencies) ||
	    !graph_edges_are_valid(dependencies, nodeParams->type, dependencyData, numDependencies))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result =
		sim_cuGraphAddNode(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
	if (result == CUDA_SUCCESS && dependencyData)
		memcpy((*phGraphNode)->dependencies.data, dependencyData,
		       numDependencies * sizeof(*dependencyData));
	return result;
}

CUresult sim_cuGraphAddKernelNode_v2(CUgraphNode *phGraphNode, CUgraph hGraph,
				     const CUgraphNode *dependencies, size_t numDependencies,
				     const CUDA_KERNEL_NODE_PARAMS *nodeParams)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_kernel_params(nodeParams));
}

CUresult sim_cuGraphAddKernelNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				  const CUgraphNode *dependencies, size_t numDependencies,
				  const CUDA_KERNEL_NODE_PARAMS_v1 *nodeParams)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_kernel_params_v1(nodeParams));
}

CUresult sim_cuGraphAddMemcpyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				  const CUgraphNode *dependencies, size_t numDependencies,
				  const CUDA_MEMCPY3D *copyParams, CUcontext ctx)
{
	(void)ctx;
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_memcpy_params(copyParams));
}

CUresult sim_cuGraphAddMemsetNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				  const CUgraphNode *dependencies, size_t numDependencies,
				  const CUDA_MEMSET_NODE_PARAMS *memsetParams, CUcontext ctx)
{
	(void)ctx;
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_memset_params(memsetParams));
}

CUresult sim_cuGraphAddHostNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				const CUgraphNode *dependencies, size_t numDependencies,
				const CUDA_HOST_NODE_PARAMS *nodeParams)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_host_params(nodeParams));
}

CUresult sim_cuGraphAddChildGraphNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      CUgraph childGraph)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_child_params(childGraph));
}

CUresult sim_cuGraphAddEmptyNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				 const CUgraphNode *dependencies, size_t numDependencies)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   (CUgraphNodeParams){.type = CU_GRAPH_NODE_TYPE_EMPTY});
}

CUresult sim_cuGraphAddEventRecordNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				       const CUgraphNode *dependencies, size_t numDependencies,
				       CUevent event)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_event_params(CU_GRAPH_NODE_TYPE_EVENT_RECORD, event));
}

CUresult sim_cuGraphAddEventWaitNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				     const CUgraphNode *dependencies, size_t numDependencies,
				     CUevent event)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_event_params(CU_GRAPH_NODE_TYPE_WAIT_EVENT, event));
}

CUresult sim_cuGraphAddBatchMemOpNode(CUgraphNode *phGraphNode, CUgraph hGraph,
				      const CUgraphNode *dependencies, size_t numDependencies,
				      const CUDA_BATCH_MEM_OP_NODE_PARAMS *nodeParams)
{
	return add(phGraphNode, hGraph, dependencies, numDependencies,
		   node_memop_params(nodeParams));
}
