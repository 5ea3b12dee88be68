/*
 * graph_exec.c - executable graphs: instantiate, launch, and capture a launch.
 */
#include "graph_calls/graph_exec.h"

#include <stdlib.h>

#include "captures/captures.h"
#include "entry.h"
#include "graphs/graph.h"
#include "handles.h"
#include "objects.h"
#include "run/loading.h"
#include "run/queue.h"
#include "sim.h"
#include "streams/stream.h"
#include "work/event.h"
#include "work/work.h"

bool graph_exec_is_live(CUgraphExec exec)
{
	return handle_is(exec, HANDLE_GRAPH_EXEC);
}

static CUresult instantiate(CUgraphExec *out_exec, CUgraph graph, cuuint64_t flags)
{
	if (!out_exec || !handle_is(graph, HANDLE_GRAPH))
		return CUDA_ERROR_INVALID_VALUE;
	struct graph_plan *plan = graph_instantiate(graph);
	if (!plan)
		return CUDA_ERROR_INVALID_VALUE;
	*out_exec = sim_alloc(sizeof(**out_exec));
	(*out_exec)->plan = plan;
	(*out_exec)->source = graph_clone(graph);
	(*out_exec)->flags = flags;
	handle_add(*out_exec, HANDLE_GRAPH_EXEC);
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphInstantiate_v2(CUgraphExec *phGraphExec, CUgraph hGraph,
				   CUgraphNode *phErrorNode, char *logBuffer, size_t bufferSize)
{
	if (phErrorNode)
		*phErrorNode = NULL;
	if (logBuffer && bufferSize)
		*logBuffer = '\0';
	return instantiate(phGraphExec, hGraph, 0);
}

CUresult sim_cuGraphInstantiate(CUgraphExec *phGraphExec, CUgraph hGraph, CUgraphNode *phErrorNode,
				char *logBuffer, size_t bufferSize)
{
	return sim_cuGraphInstantiate_v2(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
}

CUresult sim_cuGraphInstantiateWithFlags(CUgraphExec *phGraphExec, CUgraph hGraph,
					 unsigned long long flags)
{
	return instantiate(phGraphExec, hGraph, flags);
}

CUresult sim_cuGraphInstantiateWithParams(CUgraphExec *phGraphExec, CUgraph hGraph,
					  CUDA_GRAPH_INSTANTIATE_PARAMS *instantiateParams)
{
	if (!instantiateParams)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = instantiate(phGraphExec, hGraph, instantiateParams->flags);
	instantiateParams->hErrNode_out = NULL;
	instantiateParams->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS
							       : CUDA_GRAPH_INSTANTIATE_ERROR;
	return result;
}

CUresult sim_cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t *flags)
{
	if (!flags || !graph_exec_is_live(hGraphExec))
		return CUDA_ERROR_INVALID_VALUE;
	*flags = hGraphExec->flags;
	return CUDA_SUCCESS;
}

CUresult sim_cuGraphExecDestroy(CUgraphExec hGraphExec)
{
	if (!graph_exec_is_live(hGraphExec))
		return CUDA_ERROR_INVALID_VALUE;
	handle_remove(hGraphExec);
	graph_plan_release(hGraphExec->plan);
	graph_destroy(hGraphExec->source);
	completion_release(hGraphExec->last);
	free(hGraphExec);
	return CUDA_SUCCESS;
}

static CUresult launch(CUgraphExec exec, CUstream stream)
{
	struct completion *finished = completion_create();
	struct work work = {.kind = WORK_GRAPH};
	loading_await();
	work.graph = graph_run_create(exec->plan, ++exec->n_launches, exec->last,
				      completion_reference(finished));
	exec->last = finished;
	return queue_submit(stream, &work);
}

CUresult sim_cuGraphLaunch(CUgraphExec hGraph, CUstream hStream)
{
	CUstream stream = NULL;
	if (!graph_exec_is_live(hGraph))
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = stream_resolve_for_work(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	result = capture_check_uncapturable(stream);
	if (result != CUDA_SUCCESS)
		return result;
	return launch(hGraph, stream);
}

CUresult sim_cuGraphUpload(CUgraphExec hGraph, CUstream hStream)
{
	struct work work = {.kind = WORK_EMPTY};
	if (!graph_exec_is_live(hGraph))
		return CUDA_ERROR_INVALID_VALUE;
	return stream_submit(hStream, &work);
}
