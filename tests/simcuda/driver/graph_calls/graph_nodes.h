/*
 * graph_nodes.h - convert the parameters of all node calls to one form, and that to work. Lock
 * held.
 */
#ifndef SIMCUDA_GRAPH_NODES_H
#define SIMCUDA_GRAPH_NODES_H

#include "work/work.h"

/*
 * Make the work, or the copy of the child graph, that params describe; the caller owns both. Return
 * CUDA_ERROR_NOT_SUPPORTED for types that are not simulated.
 */
CUresult node_make(const CUgraphNodeParams *params, struct work *out_work, CUgraph *out_child);

/* Convert the parameters of single node types. NULL gives params that node_make() refuses. */
CUgraphNodeParams node_kernel_params(const CUDA_KERNEL_NODE_PARAMS *kernel);
CUgraphNodeParams node_kernel_params_v1(const CUDA_KERNEL_NODE_PARAMS_v1 *kernel);
CUgraphNodeParams node_memcpy_params(const CUDA_MEMCPY3D *copy);
CUgraphNodeParams node_memset_params(const CUDA_MEMSET_NODE_PARAMS *memset);
CUgraphNodeParams node_host_params(const CUDA_HOST_NODE_PARAMS *host);
CUgraphNodeParams node_memop_params(const CUDA_BATCH_MEM_OP_NODE_PARAMS *memop);
CUgraphNodeParams node_child_params(CUgraph child);
CUgraphNodeParams node_event_params(CUgraphNodeType type, CUevent event);

#endif
