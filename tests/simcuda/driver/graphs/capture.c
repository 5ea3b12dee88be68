/*
 * capture.c - turn the work of a capturing stream into nodes of its graph. capture_calls.c has the
 * calls that start, end and query captures.
 */
#include "graphs/capture.h"

#include "captures/captures.h"
#include "captures/node_set.h"
#include "graphs/graph.h"
#include "work/work_run.h"

void capture_abandon_stream(CUstream stream)
{
	struct capture *capture = stream->capture;
	if (!capture)
		return;
	capture->is_invalid = true;
	if (capture->origin != stream) {
		capture_leave(stream);
		return;
	}
	if (capture->owns_graph)
		graph_destroy(capture->graph);
	capture_end(capture);
}

static CUgraphNodeType type_of(const struct work *work)
{
	switch (work->kind) {
	case WORK_KERNEL:
		return CU_GRAPH_NODE_TYPE_KERNEL;
	case WORK_COPY:
		return CU_GRAPH_NODE_TYPE_MEMCPY;
	case WORK_MEMSET:
		return CU_GRAPH_NODE_TYPE_MEMSET;
	case WORK_HOST:
		return CU_GRAPH_NODE_TYPE_HOST;
	case WORK_EVENT_RECORD:
		return CU_GRAPH_NODE_TYPE_EVENT_RECORD;
	case WORK_EVENT_WAIT:
		return CU_GRAPH_NODE_TYPE_WAIT_EVENT;
	case WORK_MEMOPS:
		return CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
	case WORK_FREE:
		return CU_GRAPH_NODE_TYPE_MEM_FREE;
	case WORK_EMPTY:
	case WORK_GRAPH:
		break;
	}
	return CU_GRAPH_NODE_TYPE_EMPTY;
}

static bool are_kernels(const struct node_set *nodes)
{
	for (size_t i = 0; i < nodes->count; i++)
		if (nodes->nodes[i]->type != CU_GRAPH_NODE_TYPE_KERNEL)
			return false;
	return true;
}

/* A programmatic launch waits for kernels until they say so. */
static void mark_programmatic(CUgraphNode node)
{
	struct node_set *before = &node->dependencies;
	if (node->work.kind != WORK_KERNEL || !node->work.kernel.is_programmatic ||
	    !are_kernels(before))
		return;
	for (size_t i = 0; i < before->count; i++)
		before->data[i] =
			(CUgraphEdgeData){.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
					  .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
}

CUresult capture_add(CUstream stream, struct work *work)
{
	struct node_set *tails = &stream->capture_tails;
	if (stream->capture->is_invalid) {
		work_release(work);
		return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	}
	CUgraphNode node = graph_add_node(stream->capture->graph, type_of(work), work, NULL,
					  tails->nodes, tails->count);
	mark_programmatic(node);
	node_set_clear(tails);
	node_set_add(tails, node);
	return CUDA_SUCCESS;
}
