/*
 * graph_changes.c - repeat each change on the checked instance, after the program's own has it.
 */
#include "graph_checks/graph_changes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "failure/failure.h"
#include "graph_checks/checked_execs.h"
#include "graph_checks/quiet.h"
#include "record/driver/driver.h"

static const struct driver *driver; /* written at the start only */

/* A change to repeat. */
struct change {
	struct checked_exec *checked; /* NULL: nothing to repeat */
	struct checked_node *node;
	uint32_t version; /* of the graph's lists before */
	struct quiet quiet;
};

static struct change begin_change(CUresult result, CUgraphExec exec, CUgraphNode node)
{
	struct change change = {0};
	struct checked_exec *checked = checked_execs_find(exec);
	if (result != CUDA_SUCCESS || !checked || !checked->graph.instance ||
	    failure_has_happened())
		return change;
	change.checked = checked;
	change.quiet = quiet_begin();
	checked_exec_before_change(checked);
	change.version = checked->graph.version;
	change.node = node ? checked_graph_find(&checked->graph, node) : NULL;
	return change;
}

/* `failure` is why a change that is not repeated cannot be followed. */
static void end_change(const struct change *change, const char *failure)
{
	if (failure)
		checked_exec_give_up(change->checked, failure);
	else if (change->checked->graph.version != change->version)
		checked_exec_after_change(change->checked, change->version);
	quiet_end(&change->quiet);
}

static const char *judge(bool is_repeated)
{
	return is_repeated ? NULL : "a change of a node could not be repeated on the copy";
}

/* A call that changes the node `node` of `exec` and says nothing of our checks. */
#define FOLLOW(name, params, pass, again)                                               \
	static CUresult CUDAAPI following_##name params                                 \
	{                                                                               \
		CUresult result = driver->name pass;                                    \
		struct change change = begin_change(result, exec, node);                \
		if (!change.checked)                                                    \
			return result;                                                  \
		CUgraphExec instance = change.checked->graph.instance;                  \
		CUgraphNode copy = change.node ? change.node->copy : NULL;              \
		end_change(&change, judge(copy && driver->name again == CUDA_SUCCESS)); \
		return result;                                                          \
	}
FOLLOW(cuGraphExecMemcpyNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *params, CUcontext context),
       (exec, node, params, context), (instance, copy, params, context))
FOLLOW(cuGraphExecMemsetNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
	CUcontext context),
       (exec, node, params, context), (instance, copy, params, context))
FOLLOW(cuGraphExecHostNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params),
       (exec, node, params), (instance, copy, params))
FOLLOW(cuGraphExecBatchMemOpNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params),
       (exec, node, params), (instance, copy, params))
FOLLOW(cuGraphExecExternalSemaphoresSignalNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS *params),
       (exec, node, params), (instance, copy, params))
FOLLOW(cuGraphExecExternalSemaphoresWaitNodeSetParams,
       (CUgraphExec exec, CUgraphNode node, const CUDA_EXT_SEM_WAIT_NODE_PARAMS *params),
       (exec, node, params), (instance, copy, params))
FOLLOW(cuGraphExecEventRecordNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
       (exec, node, event), (instance, copy, event))
FOLLOW(cuGraphExecEventWaitNodeSetEvent, (CUgraphExec exec, CUgraphNode node, CUevent event),
       (exec, node, event), (instance, copy, event))
FOLLOW(cuGraphNodeSetEnabled, (CUgraphExec exec, CUgraphNode node, unsigned int is_enabled),
       (exec, node, is_enabled), (instance, copy, is_enabled))
#undef FOLLOW

static bool set_ranges(const struct change *change, const CUDA_KERNEL_NODE_PARAMS *params)
{
	return checked_graph_set_ranges(&change->checked->graph, change->node, params);
}

/* The older structure's members come first in the newer one. */
static CUresult CUDAAPI following_cuGraphExecKernelNodeSetParams(
	CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
	CUresult result = driver->cuGraphExecKernelNodeSetParams(exec, node, params);
	struct change change = begin_change(result, exec, node);
	if (!change.checked)
		return result;
	CUDA_KERNEL_NODE_PARAMS newer = {0};
	memcpy(&newer, params, sizeof(*params));
	end_change(&change, judge(change.node &&
				  driver->cuGraphExecKernelNodeSetParams(
					  change.checked->graph.instance, change.node->copy,
					  params) == CUDA_SUCCESS &&
				  set_ranges(&change, &newer)));
	return result;
}

static CUresult CUDAAPI following_cuGraphExecKernelNodeSetParams_v2(
	CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
	CUresult result = driver->cuGraphExecKernelNodeSetParams_v2(exec, node, params);
	struct change change = begin_change(result, exec, node);
	if (!change.checked)
		return result;
	end_change(&change, judge(change.node &&
				  driver->cuGraphExecKernelNodeSetParams_v2(
					  change.checked->graph.instance, change.node->copy,
					  params) == CUDA_SUCCESS &&
				  set_ranges(&change, params)));
	return result;
}

static bool repeat_child(const struct change *change, CUgraph child)
{
	struct checked_graph *graph = &change->checked->graph;
	CUgraph copy = change->node ? checked_graph_imitate(graph, change->node, child) : NULL;
	if (!copy)
		return false;
	CUresult result = driver->cuGraphExecChildGraphNodeSetParams(graph->instance,
								     change->node->copy, copy);
	(void)driver->cuGraphDestroy(copy);
	return result == CUDA_SUCCESS;
}

static CUresult CUDAAPI following_cuGraphExecChildGraphNodeSetParams(CUgraphExec exec,
								     CUgraphNode node,
								     CUgraph child)
{
	CUresult result = driver->cuGraphExecChildGraphNodeSetParams(exec, node, child);
	struct change change = begin_change(result, exec, node);
	if (change.checked)
		end_change(&change, judge(repeat_child(&change, child)));
	return result;
}

/* The generic structure has the same members as the kernel's own, in another type. */
static CUDA_KERNEL_NODE_PARAMS kernel_params(const struct graph_node_params *params)
{
	const __typeof__(params->kernel) *from = &params->kernel;
	return (CUDA_KERNEL_NODE_PARAMS){.func = from->func,
					 .kernelParams = from->kernelParams,
					 .extra = from->extra,
					 .kern = from->kern};
}

static bool repeat_generic(const struct change *change, CUgraphNodeParams *params)
{
	const struct graph_node_params *readable = (const struct graph_node_params *)params;
	if (readable->type == CU_GRAPH_NODE_TYPE_GRAPH)
		return repeat_child(change, readable->graph.graph);
	if (!change->node ||
	    driver->cuGraphExecNodeSetParams(change->checked->graph.instance, change->node->copy,
					     params) != CUDA_SUCCESS)
		return false;
	if (readable->type != CU_GRAPH_NODE_TYPE_KERNEL)
		return true;
	CUDA_KERNEL_NODE_PARAMS kernel = kernel_params(readable);
	return set_ranges(change, &kernel);
}

static CUresult CUDAAPI following_cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
							   CUgraphNodeParams *params)
{
	CUresult result = driver->cuGraphExecNodeSetParams(exec, node, params);
	struct change change = begin_change(result, exec, node);
	if (change.checked)
		end_change(&change, judge(repeat_generic(&change, params)));
	return result;
}

static bool repeat_update(const struct change *change, CUgraph graph)
{
	CUgraphExec instance = change->checked->graph.instance;
	CUgraphExecUpdateResultInfo info = {0};
	CUgraphExecUpdateResult verdict = CU_GRAPH_EXEC_UPDATE_SUCCESS;
	CUgraphNode node = NULL;
	CUgraph copy = checked_graph_imitate(&change->checked->graph, NULL, graph);
	if (!copy)
		return false;
	CUresult result = driver_knows(CALL_cuGraphExecUpdate_v2)
				  ? driver->cuGraphExecUpdate_v2(instance, copy, &info)
				  : driver->cuGraphExecUpdate(instance, copy, &node, &verdict);
	(void)driver->cuGraphDestroy(copy);
	return result == CUDA_SUCCESS;
}

/* An update that fails may have changed some nodes. */
static void follow_update(CUresult result, CUgraphExec exec, CUgraph graph)
{
	struct change change = begin_change(CUDA_SUCCESS, exec, NULL);
	if (!change.checked)
		return;
	if (result != CUDA_SUCCESS)
		end_change(&change, "an update of it failed, and may have changed some nodes");
	else if (!repeat_update(&change, graph))
		end_change(&change, "the driver did not update the copy");
	else
		end_change(&change, NULL);
}

static CUresult CUDAAPI following_cuGraphExecUpdate(CUgraphExec exec, CUgraph graph,
						    CUgraphNode *node,
						    CUgraphExecUpdateResult *verdict)
{
	CUresult result = driver->cuGraphExecUpdate(exec, graph, node, verdict);
	follow_update(result, exec, graph);
	return result;
}

static CUresult CUDAAPI following_cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
						       CUgraphExecUpdateResultInfo *info)
{
	CUresult result = driver->cuGraphExecUpdate_v2(exec, graph, info);
	follow_update(result, exec, graph);
	return result;
}

void graph_changes_start(const struct driver *real_driver)
{
	driver = real_driver;
#define REPLACE(name) __atomic_store_n(&real.name, following_##name, __ATOMIC_RELAXED)
	REPLACE(cuGraphExecMemcpyNodeSetParams);
	REPLACE(cuGraphExecMemsetNodeSetParams);
	REPLACE(cuGraphExecHostNodeSetParams);
	REPLACE(cuGraphExecBatchMemOpNodeSetParams);
	REPLACE(cuGraphExecExternalSemaphoresSignalNodeSetParams);
	REPLACE(cuGraphExecExternalSemaphoresWaitNodeSetParams);
	REPLACE(cuGraphExecEventRecordNodeSetEvent);
	REPLACE(cuGraphExecEventWaitNodeSetEvent);
	REPLACE(cuGraphNodeSetEnabled);
	REPLACE(cuGraphExecKernelNodeSetParams);
	REPLACE(cuGraphExecKernelNodeSetParams_v2);
	REPLACE(cuGraphExecChildGraphNodeSetParams);
	REPLACE(cuGraphExecNodeSetParams);
	REPLACE(cuGraphExecUpdate);
	REPLACE(cuGraphExecUpdate_v2);
#undef REPLACE
}
