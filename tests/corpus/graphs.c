/*
 * graphs.c - bad nodes of graphs, for every way to add a node to an executable graph. The node
 * stores where a word in memory says, so the graph is good until that word is changed.
 */
#include "scenarios.h"
#include <stdbool.h>

enum { N_GOOD_REPLAYS = 6 };

/*
 * The parts that the scenarios share: a stream, memory, and the launch that becomes the bad node.
 */
struct graph_case {
	struct corpus *corpus;
	CUstream stream;
	CUdeviceptr data, index;
	struct launch through;
};

static void begin(struct graph_case *c, struct corpus *corpus)
{
	*c = (struct graph_case){.corpus = corpus};
	c->data = corpus_buffer(corpus, CORPUS_BUFFER_BYTES);
	c->index = corpus_buffer(corpus, sizeof(uint64_t));
	c->stream = corpus_stream(corpus, CU_STREAM_NON_BLOCKING);
	corpus_kernel(corpus, "fill");
	launch_init(&c->through, corpus, "store_through", c->stream, VALUES(c->data, c->index));
}

static void begin_capture(const struct graph_case *c)
{
	NEED(CU(cuStreamBeginCapture_v2)(c->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

static CUgraph end_capture(const struct graph_case *c)
{
	CUgraph graph = NULL;
	NEED(CU(cuStreamEndCapture)(c->stream, &graph));
	return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec executable = NULL;
	NEED(CU(cuGraphInstantiateWithFlags)(&executable, graph, 0));
	return executable;
}

static void set_index(const struct graph_case *c, uint64_t index)
{
	CU(cuMemsetD32Async)(c->index, (unsigned)(index >> 32), 2, c->stream);
}

/* The word is bad from the seventh replay on. */
static CUresult replay(const struct graph_case *c, CUgraphExec executable)
{
	for (int i = 0; i < N_GOOD_REPLAYS; i++)
		CU(cuGraphLaunch)(executable, c->stream);
	set_index(c, FAR_INDEX);
	truth_other(c->corpus, "graph", &c->through, __func__, __FILE__, __LINE__ + 1);
	CU(cuGraphLaunch)(executable, c->stream);
	CU(cuGraphLaunch)(executable, c->stream);
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(c->stream));
}

static CUgraph capture_through(struct graph_case *c)
{
	begin_capture(c);
	NODE_NEXT(&c->through);
	NEED(LAUNCH(&c->through));
	return end_capture(c);
}

CUresult graph_one_node(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	return replay(&c, instantiate(capture_through(&c)));
}

static CUDA_KERNEL_NODE_PARAMS params_of(struct launch *launch)
{
	return (CUDA_KERNEL_NODE_PARAMS){.func = launch->function,
					 .gridDimX = launch->grid[0],
					 .gridDimY = launch->grid[1],
					 .gridDimZ = launch->grid[2],
					 .blockDimX = launch->block[0],
					 .blockDimY = launch->block[1],
					 .blockDimZ = launch->block[2],
					 .kernelParams = launch->params};
}

static CUgraphNode add_fill(struct graph_case *c, CUgraph graph, const CUgraphNode *after)
{
	struct launch fill;
	launch_init(&fill, c->corpus, "fill", c->stream, VALUES(c->data, 128));
	CUDA_KERNEL_NODE_PARAMS params = params_of(&fill);
	CUgraphNode node = NULL;
	NEED(CU(cuGraphAddKernelNode_v2)(&node, graph, after, after ? 1 : 0, &params));
	return node;
}

/* fill, then the bad node, then fill. */
static CUgraph build(struct graph_case *c)
{
	CUDA_KERNEL_NODE_PARAMS params = params_of(&c->through);
	CUgraph graph = NULL;
	NEED(CU(cuGraphCreate)(&graph, 0));
	CUgraphNode first = add_fill(c, graph, NULL);
	CUgraphNode node = NULL;
	NODE_NEXT(&c->through);
	NEED(CU(cuGraphAddKernelNode_v2)(&node, graph, &first, 1, &params));
	add_fill(c, graph, &node);
	return graph;
}

CUresult graph_added(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	return replay(&c, instantiate(build(&c)));
}

/* The child graph is copied into its node, so later changes of the original do not matter. */
CUresult graph_child(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	CUgraph child = build(&c);
	CUgraph graph = NULL;
	NEED(CU(cuGraphCreate)(&graph, 0));
	CUgraphNode first = add_fill(&c, graph, NULL);
	CUgraphNode node = NULL;
	NEED(CU(cuGraphAddChildGraphNode)(&node, graph, &first, 1, child));
	NEED(CU(cuGraphDestroy)(child));
	return replay(&c, instantiate(graph));
}

/* Add an "if" node that is always true, and return its empty body. */
static CUgraph add_if(CUgraph graph, const CUgraphNode *after)
{
	CUgraphNodeParams params = {.type = CU_GRAPH_NODE_TYPE_CONDITIONAL};
	params.conditional.type = CU_GRAPH_COND_TYPE_IF;
	params.conditional.size = 1;
	NEED(CU(cuCtxGetCurrent)(&params.conditional.ctx));
	NEED(CU(cuGraphConditionalHandleCreate)(&params.conditional.handle, graph,
						params.conditional.ctx, 1,
						CU_GRAPH_COND_ASSIGN_DEFAULT));
	CUgraphNode node = NULL;
	NEED(CU(cuGraphAddNode_v2)(&node, graph, after, NULL, 1, &params));
	return params.conditional.phGraph_out[0];
}

CUresult graph_conditional(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	CUgraph graph = NULL;
	NEED(CU(cuGraphCreate)(&graph, 0));
	CUgraphNode first = add_fill(&c, graph, NULL);
	CUDA_KERNEL_NODE_PARAMS params = params_of(&c.through);
	CUgraphNode node = NULL;
	NODE_NEXT(&c.through);
	NEED(CU(cuGraphAddKernelNode_v2)(&node, add_if(graph, &first), NULL, 0, &params));
	return replay(&c, instantiate(graph));
}

CUresult graph_clone(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	CUgraph graph = build(&c);
	CUgraph clone = NULL;
	NEED(CU(cuGraphClone)(&clone, graph));
	NEED(CU(cuGraphDestroy)(graph));
	return replay(&c, instantiate(clone));
}

/* The graph was instantiated with a fill; its node is updated to the bad launch. */
CUresult graph_update(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	begin_capture(&c);
	NEED(launch_fill(corpus, c.data, c.stream));
	CUgraphExec executable = instantiate(end_capture(&c));
	CU(cuGraphLaunch)(executable, c.stream);
	CUgraph other = capture_through(&c);
	CUgraphExecUpdateResultInfo info;
	NEED(CU(cuGraphExecUpdate_v2)(executable, other, &info));
	NEED(CU(cuGraphDestroy)(other));
	return replay(&c, executable);
}

static CUgraphNode first_node(CUgraph graph)
{
	size_t n_nodes = 1;
	CUgraphNode node = NULL;
	NEED(CU(cuGraphGetRootNodes)(graph, &node, &n_nodes));
	return node;
}

static void set_params(CUgraphExec executable, CUgraphNode node, struct launch *launch)
{
	CUDA_KERNEL_NODE_PARAMS params = params_of(launch);
	NEED(CU(cuGraphExecKernelNodeSetParams_v2)(executable, node, &params));
}

/*
 * The bad replay waits for a long kernel while the node is given good arguments again. The node's
 * arguments at the time of the launch count.
 */
CUresult graph_params(struct corpus *corpus)
{
	struct graph_case c;
	begin(&c, corpus);
	corpus_kernel(corpus, "spin");
	struct launch good;
	launch_init(&good, corpus, "fill", c.stream, VALUES(c.data, 128));
	CUgraph graph = capture_through(&c);
	CUgraphNode node = first_node(graph);
	CUgraphExec executable = instantiate(graph);
	for (int i = 0; i < N_GOOD_REPLAYS; i++) {
		set_params(executable, node, i % 2 ? &good : &c.through);
		CU(cuGraphLaunch)(executable, c.stream);
	}
	set_index(&c, FAR_INDEX);
	launch_spin(corpus, 50000, c.stream);
	set_params(executable, node, &c.through);
	truth_other(corpus, "graph", &c.through, __func__, __FILE__, __LINE__ + 1);
	CU(cuGraphLaunch)(executable, c.stream);
	set_params(executable, node, &good);
	CU(cuGraphLaunch)(executable, c.stream);
	return say("cuStreamSynchronize", CU(cuStreamSynchronize)(c.stream));
}

/* Both nodes would fail. The first one is disabled, and a kernel may enable it if is_updatable. */
static CUresult replay_half(struct corpus *corpus, bool is_updatable)
{
	CUkernelNodeAttrValue updatable = {.deviceUpdatableKernelNode.deviceUpdatable = 1};
	struct graph_case c;
	begin(&c, corpus);
	struct launch off;
	launch_init(&off, corpus, "stray_store", c.stream, VALUES(c.data, FAR_INDEX));
	begin_capture(&c);
	NEED(LAUNCH(&off));
	NODE_NEXT(&c.through);
	NEED(LAUNCH(&c.through));
	CUgraph graph = end_capture(&c);
	if (is_updatable)
		NEED(CU(cuGraphKernelNodeSetAttribute)(
			first_node(graph), CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE,
			&updatable));
	CUgraphExec executable = instantiate(graph);
	NEED(CU(cuGraphNodeSetEnabled)(executable, first_node(graph), 0));
	return replay(&c, executable);
}

CUresult graph_disabled(struct corpus *corpus)
{
	return replay_half(corpus, false);
}

CUresult graph_updatable(struct corpus *corpus)
{
	return replay_half(corpus, true);
}
