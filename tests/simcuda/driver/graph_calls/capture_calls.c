/*
 * capture_calls.c - the calls that start, end and query captures.
 */
#include <stdlib.h>

#include "captures/captures.h"
#include "captures/node_set.h"
#include "entry.h"
#include "graphs/graph.h"
#include "handles.h"
#include "objects.h"
#include "sim.h"
#include "streams/stream.h"

static void begin(CUstream stream, CUgraph graph, const struct node_set *tails,
		  CUstreamCaptureMode mode)
{
	static unsigned long long n_captures; /* guarded by sim_lock */
	struct capture *capture = sim_alloc(sizeof(*capture));
	*capture = (struct capture){.next = captures,
				    .n_references = 1,
				    .id = ++n_captures,
				    .context = stream->context,
				    .origin = stream,
				    .mode = mode,
				    .thread = sim_thread_id(),
				    .graph = graph ? graph : graph_create(),
				    .owns_graph = !graph};
	captures = capture;
	capture_join(capture, stream, tails);
}

static CUresult check_begin(CUstream handle, CUstreamCaptureMode mode, CUstream *out_stream)
{
	CUresult result = stream_resolve(handle, out_stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	if ((*out_stream)->kind == STREAM_LEGACY)
		return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
	return (*out_stream)->capture ? CUDA_ERROR_ILLEGAL_STATE : CUDA_SUCCESS;
}

CUresult sim_cuStreamBeginCapture_v2(CUstream hStream, CUstreamCaptureMode mode)
{
	CUstream stream = NULL;
	CUresult result = check_begin(hStream, mode, &stream);
	if (result == CUDA_SUCCESS)
		begin(stream, NULL, &(struct node_set){0}, mode);
	return result;
}

CUresult sim_cuStreamBeginCapture(CUstream hStream)
{
	return sim_cuStreamBeginCapture_v2(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult sim_cuStreamBeginCaptureToGraph(CUstream hStream, CUgraph hGraph,
					 const CUgraphNode *dependencies,
					 const CUgraphEdgeData *dependencyData,
					 size_t numDependencies, CUstreamCaptureMode mode)
{
	struct node_set tails = {0};
	CUstream stream = NULL;
	CUresult result = check_begin(hStream, mode, &stream);
	(void)dependencyData;
	if (result != CUDA_SUCCESS)
		return result;
	if (!handle_is(hGraph, HANDLE_GRAPH) || (numDependencies && !dependencies) ||
	    !graph_has_nodes(hGraph, dependencies, numDependencies))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < numDependencies; i++)
		node_set_add(&tails, dependencies[i]);
	begin(stream, hGraph, &tails, mode);
	node_set_clear(&tails);
	return CUDA_SUCCESS;
}

/* Set index 1 in the nodes of the set and everything that they depend on. */
static void mark_ancestors(const struct node_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->nodes[i]->index == 1)
			continue;
		set->nodes[i]->index = 1;
		mark_ancestors(&set->nodes[i]->dependencies);
	}
}

/* True if a stream that joined the capture has work on which the origin does not depend. */
static bool has_unjoined_work(const struct capture *capture)
{
	for (CUgraphNode node = capture->graph->nodes; node; node = node->next)
		node->index = 0;
	mark_ancestors(&capture->origin->capture_tails);
	for (CUstream stream = capture->context->streams; stream; stream = stream->next) {
		if (stream->capture != capture)
			continue;
		for (size_t i = 0; i < stream->capture_tails.count; i++)
			if (stream->capture_tails.nodes[i]->index == 0)
				return true;
	}
	return false;
}

static CUresult check_end(struct capture *capture, CUstream stream)
{
	if (stream != capture->origin)
		return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
	if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != sim_thread_id())
		return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamEndCapture(CUstream hStream, CUgraph *phGraph)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!phGraph)
		return CUDA_ERROR_INVALID_VALUE;
	struct capture *capture = stream->capture;
	if (!capture)
		return CUDA_ERROR_ILLEGAL_STATE;
	result = check_end(capture, stream);
	if (result != CUDA_SUCCESS) {
		capture->is_invalid = true;
		return result;
	}
	if (capture->is_invalid)
		result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
	else if (has_unjoined_work(capture))
		result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
	*phGraph = result == CUDA_SUCCESS ? capture->graph : NULL;
	if (result != CUDA_SUCCESS && capture->owns_graph)
		graph_destroy(capture->graph);
	capture_end(capture);
	return result;
}

static CUstreamCaptureStatus status_of(CUstream stream)
{
	if (!stream->capture)
		return CU_STREAM_CAPTURE_STATUS_NONE;
	return stream->capture->is_invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
					   : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/* Resolve a stream for a query. The legacy stream has no status while other streams capture. */
static CUresult resolve_for_query(CUstream handle, CUstream *out_stream)
{
	CUresult result = stream_resolve(handle, out_stream);
	if (result == CUDA_SUCCESS && (*out_stream)->kind == STREAM_LEGACY &&
	    capture_blocks_legacy(*out_stream))
		result = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
	return result;
}

CUresult sim_cuStreamIsCapturing(CUstream hStream, CUstreamCaptureStatus *captureStatus)
{
	CUstream stream = NULL;
	CUresult result = resolve_for_query(hStream, &stream);
	if (!captureStatus)
		return CUDA_ERROR_INVALID_VALUE;
	if (result == CUDA_SUCCESS)
		*captureStatus = status_of(stream);
	return result;
}

CUresult sim_cuStreamGetCaptureInfo_v2(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
				       cuuint64_t *id_out, CUgraph *graph_out,
				       const CUgraphNode **dependencies_out,
				       size_t *numDependencies_out)
{
	CUstream stream = NULL;
	CUresult result = resolve_for_query(hStream, &stream);
	if (!captureStatus_out)
		return CUDA_ERROR_INVALID_VALUE;
	if (result != CUDA_SUCCESS)
		return result;
	*captureStatus_out = status_of(stream);
	if (*captureStatus_out != CU_STREAM_CAPTURE_STATUS_ACTIVE)
		return CUDA_SUCCESS;
	if (id_out)
		*id_out = stream->capture->id;
	if (graph_out)
		*graph_out = stream->capture->graph;
	if (dependencies_out)
		*dependencies_out = stream->capture_tails.nodes;
	if (numDependencies_out)
		*numDependencies_out = stream->capture_tails.count;
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
				    cuuint64_t *id_out)
{
	return sim_cuStreamGetCaptureInfo_v2(hStream, captureStatus_out, id_out, NULL, NULL, NULL);
}

CUresult sim_cuStreamGetCaptureInfo_v3(CUstream hStream, CUstreamCaptureStatus *captureStatus_out,
				       cuuint64_t *id_out, CUgraph *graph_out,
				       const CUgraphNode **dependencies_out,
				       const CUgraphEdgeData **edgeData_out,
				       size_t *numDependencies_out)
{
	if (edgeData_out)
		*edgeData_out = NULL; /* all edges are plain */
	return sim_cuStreamGetCaptureInfo_v2(hStream, captureStatus_out, id_out, graph_out,
					     dependencies_out, numDependencies_out);
}

CUresult sim_cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
					       size_t numDependencies, unsigned int flags)
{
	CUstream stream = NULL;
	CUresult result = stream_resolve(hStream, &stream);
	if (result != CUDA_SUCCESS)
		return result;
	if (!stream->capture)
		return CUDA_ERROR_ILLEGAL_STATE;
	if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES || (numDependencies && !dependencies) ||
	    !graph_has_nodes(stream->capture->graph, dependencies, numDependencies))
		return CUDA_ERROR_INVALID_VALUE;
	if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES)
		node_set_clear(&stream->capture_tails);
	for (size_t i = 0; i < numDependencies; i++)
		node_set_add(&stream->capture_tails, dependencies[i]);
	return CUDA_SUCCESS;
}

CUresult sim_cuStreamUpdateCaptureDependencies_v2(CUstream hStream, CUgraphNode *dependencies,
						  const CUgraphEdgeData *dependencyData,
						  size_t numDependencies, unsigned int flags)
{
	(void)dependencyData;
	return sim_cuStreamUpdateCaptureDependencies(hStream, dependencies, numDependencies, flags);
}

CUresult sim_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
	CUstreamCaptureMode old = sim_thread.capture_mode;
	if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
		return CUDA_ERROR_INVALID_VALUE;
	sim_thread.capture_mode = *mode;
	*mode = old;
	return CUDA_SUCCESS;
}
