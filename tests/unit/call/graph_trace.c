/*
 * graph_trace.c - the recorder's graphs, which trace what the stages ask of them.
 */
#include "call/call_parts.h"

#include "call/graph_trace.h"
#include "call/submission.h"
#include "failure/failure.h"
#include "record/driver/driver.h"
#include "record/graphs/graph_marking.h"
#include "record/graphs/graph_origins.h"
#include "record/graphs/graph_snapshot.h"
#include "record/graphs/graph_walk.h"
#include "record/graphs/graphs.h"
#include "record/stacks/stack.h"
#include "record/streams/contexts.h"
#include "support/check.h"

struct driver real;

static struct thread thread;
static struct graph_snapshot snapshot;
static struct graph_marking marking;
struct graph_trace graph_trace = {.has_snapshot = true};

static unsigned number(const void *handle)
{
	return (unsigned)(uintptr_t)handle;
}

bool failure_has_happened(void)
{
	return graph_trace.has_failed;
}

uint32_t stack_capture(struct stack_cache *cache, const void *frame)
{
	CHECK(cache == &thread.stacks && !frame);
	return 60;
}

void submission_after(struct call *call, CUresult result)
{
	trace_add("submission, %d\n", result);
	call->stream = NULL; /* It is not locked any more. */
	call->row = NULL;
}

void graph_origins_set(CUgraphNode node, struct graph_origin origin)
{
	trace_add("origin of %x: %u %u %u\n", number(node), origin.stack, origin.source,
		  origin.flags);
}

void graph_origins_copy(CUgraph graph, CUgraph copy)
{
	trace_add("copy origins of %x to %x\n", number(graph), number(copy));
}

void graph_origins_forget(CUgraph graph)
{
	trace_add("forget origins of %x\n", number(graph));
}

void graph_origins_forget_node(CUgraphNode node)
{
	trace_add("forget node %x\n", number(node));
}

void graph_walk_bodies(CUgraphNode node, CUgraph *bodies, unsigned int n_bodies)
{
	trace_add("%u bodies of %x, the first is %x\n", n_bodies, number(node), number(*bodies));
}

void graph_marking_before_update(CUgraphExec exec, CUgraph graph)
{
	trace_add("before an update of %x from %x\n", number(exec), number(graph));
}

void graph_marking_after_update(CUgraphExec exec)
{
	trace_add("after an update of %x\n", number(exec));
}

void graph_marking_hide_node(CUgraphExec exec, CUgraphNode *node)
{
	trace_add("hide %x of %x\n", number(*node), number(exec));
}

void graph_marking_instantiated(CUgraphExec *exec, CUgraph graph, unsigned long long flags,
				struct graph_word *out_word, struct graph_marking *out_marking)
{
	trace_add("mark %x of %x, flags %llx\n", number(*exec), number(graph), flags);
	*out_word = (struct graph_word){.n_markers = graph_trace.n_new_markers};
	*out_marking = (struct graph_marking){.n_markers = graph_trace.n_new_markers};
}

void graphs_made(struct function_cache *functions, CUgraphExec exec, CUgraph graph, uint32_t stack)
{
	CHECK(functions == &thread.functions);
	trace_add("made %x of %x, stack %u\n", number(exec), number(graph), stack);
}

void graphs_marked(CUgraphExec exec, const struct graph_word *of, const struct graph_marking *by)
{
	trace_add("marked %x, %u of %u\n", number(exec), of->n_markers, by->n_markers);
}

struct graph_word graphs_word(CUgraphExec exec)
{
	CHECK_EQUAL(number(exec), EXEC);
	return (struct graph_word){.n_markers = graph_trace.n_markers};
}

struct graph_marking *graphs_update_marking(CUgraphExec exec)
{
	CHECK_EQUAL(number(exec), EXEC);
	marking.n_markers = graph_trace.n_marked;
	return graph_trace.is_marked ? &marking : NULL;
}

struct graph_snapshot *graphs_snapshot(CUgraphExec exec)
{
	return exec && graph_trace.has_snapshot ? &snapshot : NULL;
}

void graphs_destroyed(CUgraphExec exec)
{
	trace_add("destroyed %x\n", number(exec));
}

void graph_snapshot_set_kernel(struct function_cache *functions, struct graph_snapshot *of,
			       CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
	CHECK(functions == &thread.functions && of == &snapshot);
	trace_add("set %x: %x, %u %u %u, %u %u %u, %u with %x %x, %x\n", number(node),
		  number(params->func), params->gridDimX, params->gridDimY, params->gridDimZ,
		  params->blockDimX, params->blockDimY, params->blockDimZ, params->sharedMemBytes,
		  number(params->kernelParams), number(params->extra), number(params->kern));
}

void graph_snapshot_set_enabled(struct graph_snapshot *of, CUgraphNode node, bool is_enabled)
{
	CHECK(of == &snapshot);
	trace_add("%s %x\n", is_enabled ? "enable" : "disable", number(node));
}

void graph_snapshot_distrust(const struct graph_snapshot *of)
{
	CHECK(of == &snapshot);
	trace_add("distrust\n");
}

void graph_snapshot_note_code(const struct graph_snapshot *of, CUcontext context)
{
	CHECK(of == &snapshot);
	if (context)
		trace_add("note the code in %x\n", number(context));
}

static CUresult get_child(CUgraphNode node, CUgraph *out)
{
	CHECK_EQUAL(number(node), NODE);
	*out = graph_trace.is_own_child ? (CUgraph)(uintptr_t)GRAPH : (CUgraph)CHILD;
	return graph_trace.has_snapshot ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

struct call graph_trace_call(enum driver_call id, const void *args)
{
	real.cuGraphChildGraphNodeGetGraph = get_child;
	trace_add("%s:\n", driver_calls[id].name);
	return (struct call){.id = id, .args = args, .thread = &thread};
}

void graph_trace_run(enum driver_call id, const void *args, CUresult result)
{
	struct call call = graph_trace_call(id, args);
	graph_before(&call);
	graph_after(&call, result);
}
