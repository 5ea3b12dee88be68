/*
 * graphs.c - hosts that use up graphs: many graphs in sequence, more nodes than the journal keeps,
 * captures in many threads at once.
 */
#include "scenarios.h"

#include <stdbool.h>
#include <stdio.h>

#include "host.h"

enum { MAX_NODES = 64 };

static CUstream make_stream(void)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return stream;
}

/* Capture n clean nodes in sequence, then a bad one if is_bad. */
static CUgraph capture(CUstream stream, unsigned n_nodes, bool is_bad)
{
	CUgraph graph;

	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	for (unsigned i = 0; i < n_nodes; i++)
		NEED(host_fill(stream));
	if (is_bad)
		NEED(host_stray(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	return graph;
}

static CUgraphExec instantiate(CUgraph graph)
{
	CUgraphExec executable;

	NEED(cuGraphInstantiateWithFlags(&executable, graph, 0));
	return executable;
}

static void use_graph(CUstream stream, unsigned n_nodes)
{
	CUgraph graph = capture(stream, n_nodes, false);
	CUgraphExec executable = instantiate(graph);

	NEED(cuGraphLaunch(executable, stream));
	NEED(cuStreamSynchronize(stream));
	NEED(cuGraphExecDestroy(executable));
	NEED(cuGraphDestroy(graph));
}

/* Launch a graph of one or several nodes, which fails. */
static int fail(CUstream stream, unsigned n_good)
{
	CUgraphExec executable = instantiate(capture(stream, n_good, true));

	say("cuGraphLaunch", cuGraphLaunch(executable, stream));
	return say("cuStreamSynchronize", cuStreamSynchronize(stream)) ? 1 : 0;
}

/* The graphs have far more nodes together than the journal has rows for. */
int many_graphs(void)
{
	enum { N_GRAPHS = 20000, N_NODES = 10 };
	CUstream stream;

	host_open();
	stream = make_stream();
	for (int i = 0; i < N_GRAPHS; i++)
		use_graph(stream, N_NODES);
	return fail(stream, 0);
}

/* The same by updates of one executable graph, as in a program that captures each step anew. */
int many_updates(void)
{
	enum { N_UPDATES = 20000, N_NODES = 10 };
	CUgraphExecUpdateResultInfo info;
	CUgraphExec executable;
	CUstream stream;

	host_open();
	stream = make_stream();
	executable = instantiate(capture(stream, N_NODES, false));
	for (int i = 0; i < N_UPDATES; i++) {
		CUgraph graph = capture(stream, N_NODES, false);

		NEED(cuGraphExecUpdate(executable, graph, &info));
		NEED(cuGraphDestroy(graph));
		NEED(cuGraphLaunch(executable, stream));
		NEED(cuStreamSynchronize(stream));
	}
	return fail(stream, 0);
}

/* All graphs stay alive, so there is no row for the last one, which fails. */
int too_many_nodes(void)
{
	enum { N_GRAPHS = 27, N_NODES = 5000 };
	CUstream stream;

	host_open();
	stream = make_stream();
	for (int i = 0; i < N_GRAPHS; i++)
		instantiate(capture(stream, N_NODES, false));
	return fail(stream, 0);
}

/* Turn node `index` of the executable graph, which was made from `graph`, into a stray store. */
static void spoil(CUgraphExec executable, CUgraph graph, size_t index)
{
	CUDA_KERNEL_NODE_PARAMS params;
	CUgraphNode nodes[MAX_NODES], bad;
	size_t n = MAX_NODES, one = 1;

	NEED(cuGraphGetNodes(capture(make_stream(), 0, true), &bad, &one));
	NEED(cuGraphKernelNodeGetParams(bad, &params));
	NEED(cuGraphGetNodes(graph, nodes, &n));
	NEED(cuGraphExecKernelNodeSetParams(executable, nodes[index], &params));
}

static void replay(CUgraphExec executable, CUstream stream, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		NEED(cuGraphLaunch(executable, stream));
		NEED(cuStreamSynchronize(stream));
	}
}

/* Return a graph of n nodes that do not wait for each other. */
static CUgraph graph_apart(unsigned n)
{
	CUDA_KERNEL_NODE_PARAMS params;
	CUgraph sample = capture(make_stream(), 1, false), graph;
	CUgraphNode node;
	size_t one = 1;

	NEED(cuGraphGetNodes(sample, &node, &one));
	NEED(cuGraphKernelNodeGetParams(node, &params));
	NEED(cuGraphCreate(&graph, 0));
	for (unsigned i = 0; i < n; i++)
		NEED(cuGraphAddKernelNode(&node, graph, NULL, 0, &params));
	return graph;
}

/* The driver remembers so many ends in a different place. */
int many_ends(void)
{
	CUgraphExec executable;
	CUstream stream;

	host_open();
	stream = make_stream();
	executable = instantiate(graph_apart(6));
	for (unsigned i = 0; i < 16; i++) {
		NEED(host_fill(stream));
		replay(executable, stream, 1);
	}
	NEED(host_fill(stream));
	say("cuLaunchKernel", host_stray(stream));
	return say("cuStreamSynchronize", cuStreamSynchronize(stream)) ? 1 : 0;
}

static int fail_replay(CUgraphExec executable, CUstream stream)
{
	say("cuGraphLaunch", cuGraphLaunch(executable, stream));
	return say("cuStreamSynchronize", cuStreamSynchronize(stream)) ? 1 : 0;
}

int bad_replay(void)
{
	CUgraphExec executable;
	CUstream stream;
	CUgraph graph;

	host_open();
	stream = make_stream();
	graph = capture(stream, 20, false);
	executable = instantiate(graph);
	replay(executable, stream, 3);
	spoil(executable, graph, 12);
	return fail_replay(executable, stream);
}

/* Capture two kernels, then branches of four and of eight in turns, then one kernel. */
static CUgraph capture_branches(CUstream stream, CUstream other)
{
	CUevent fork, join;
	CUgraph graph;

	NEED(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
	NEED(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	NEED(host_fill(stream));
	NEED(host_fill(stream));
	NEED(cuEventRecord(fork, stream));
	NEED(cuStreamWaitEvent(other, fork, 0));
	for (unsigned i = 0; i < 12; i++)
		NEED(host_fill(i % 3 ? other : stream));
	NEED(cuEventRecord(join, other));
	NEED(cuStreamWaitEvent(stream, join, 0));
	NEED(host_fill(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	return graph;
}

int bad_branch(void)
{
	CUgraphExec executable;
	CUstream stream;
	CUgraph graph;

	host_open();
	stream = make_stream();
	graph = capture_branches(stream, make_stream());
	executable = instantiate(graph);
	replay(executable, stream, 2);
	spoil(executable, graph, 9);
	return fail_replay(executable, stream);
}

static void tell_node(CUgraphNode node)
{
	CUgraphNode others[MAX_NODES];
	size_t n_before = MAX_NODES, n_behind = MAX_NODES;
	CUgraphNodeType type;

	NEED(cuGraphNodeGetType(node, &type));
	NEED(cuGraphNodeGetDependencies(node, others, NULL, &n_before));
	NEED(cuGraphNodeGetDependentNodes(node, others, NULL, &n_behind));
	printf("type %d, %zu before, %zu behind\n", (int)type, n_before, n_behind);
}

static void tell(CUgraph graph)
{
	CUgraphNode nodes[MAX_NODES];
	size_t n = MAX_NODES, n_edges = 0, n_roots = 0;

	NEED(cuGraphGetEdges(graph, NULL, NULL, NULL, &n_edges));
	NEED(cuGraphGetRootNodes(graph, NULL, &n_roots));
	NEED(cuGraphGetNodes(graph, nodes, &n));
	printf("%zu nodes, %zu edges, %zu roots\n", n, n_edges, n_roots);
	for (size_t i = 0; i < n; i++)
		tell_node(nodes[i]);
}

static void update(CUgraphExec executable, CUgraph graph)
{
	CUgraphExecUpdateResultInfo info = {0};

	say("cuGraphExecUpdate", cuGraphExecUpdate(executable, graph, &info));
	printf("result %d, node %d\n", (int)info.result, info.errorNode != NULL);
	tell(graph);
}

/* The answers must be the same although culprit adds nodes to graphs for a while. */
int graph_answers(void)
{
	CUgraphExec executable;
	CUstream stream, other;
	CUgraph graph, clone;

	host_open();
	stream = make_stream();
	other = make_stream();
	graph = capture_branches(stream, other);
	tell(graph);
	executable = instantiate(graph);
	replay(executable, stream, 2);
	tell(graph);
	NEED(cuGraphClone(&clone, graph));
	tell(clone);
	update(executable, capture_branches(stream, other));
	replay(executable, stream, 2);
	update(executable, capture(stream, 5, false));
	replay(executable, stream, 1);
	NEED(cuGraphExecDestroy(executable));
	tell(graph);
	return fail(stream, 0);
}

static void capture_some(unsigned index)
{
	CUstream stream = make_stream();

	for (int i = 0; i < 200; i++)
		use_graph(stream, 1 + index);
}

/* Threads that capture at once never see each other's nodes. */
int captures_in_threads(void)
{
	host_open();
	host_threads(8, 0, capture_some);
	return fail(make_stream(), 2);
}

/* While one stream captures, end the capture of another stream that has none. */
int ends_of_captures(void)
{
	CUgraph graph, none;
	CUstream stream, other;
	size_t n_nodes;

	host_open();
	stream = make_stream();
	other = make_stream();
	NEED(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
	say("cuStreamEndCapture", cuStreamEndCapture(other, &none));
	NEED(host_fill(stream));
	NEED(host_stray(stream));
	NEED(cuStreamEndCapture(stream, &graph));
	NEED(cuGraphGetNodes(graph, NULL, &n_nodes));
	printf("%zu nodes\n", n_nodes);
	say("cuGraphLaunch", cuGraphLaunch(instantiate(graph), stream));
	return say("cuStreamSynchronize", cuStreamSynchronize(stream)) ? 1 : 0;
}
