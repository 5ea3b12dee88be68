/*
 * graphs.c - hosts that wear out graphs: many after each other, more nodes than are kept, captures
 * in many threads at once.
 */
#include "scenarios.h"

#include <stdbool.h>
#include <stdio.h>

#include "host.h"

static CUstream make_stream(void)
{
	CUstream stream;

	NEED(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	return stream;
}

/* n clean nodes one behind the other, and behind them perhaps a bad one. */
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

/* A graph of one node, or of several, is launched and fails. */
static int fail(CUstream stream, unsigned n_good)
{
	CUgraphExec executable = instantiate(capture(stream, n_good, true));

	say("cuGraphLaunch", cuGraphLaunch(executable, stream));
	return say("cuStreamSynchronize", cuStreamSynchronize(stream)) ? 1 : 0;
}

/* Together far more nodes than the journal has rows for. */
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

/* The same by updates of one executable graph, as who captures each step anew does. */
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

/* All alive: the last one, which fails, finds no room. */
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
