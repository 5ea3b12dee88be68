/* print.c - print a program for people: its parts, then each thread's calls in order. */
#include <stdio.h>

#include "program.h"

static const char *const operation_names[N_OPERATION_KINDS] = {
	[OP_LAUNCH] = "launch",
	[OP_COPY_TO_DEVICE] = "copy to device",
	[OP_COPY_TO_HOST] = "copy to host",
	[OP_COPY_ON_DEVICE] = "copy on device",
	[OP_COPY_SYNCHRONOUS] = "copy, synchronous",
	[OP_MEMSET] = "memset",
	[OP_MEMSET_SYNCHRONOUS] = "memset, synchronous",
	[OP_HOST_FUNCTION] = "host function",
	[OP_WRITE_VALUE] = "write value",
	[OP_HAND_OVER] = "hand a value over",
	[OP_EVENT_RECORD] = "record",
	[OP_EVENT_WAIT] = "wait for",
	[OP_EVENT_SYNCHRONIZE] = "synchronize with",
	[OP_EVENT_QUERY] = "query",
	[OP_STREAM_SYNCHRONIZE] = "synchronize with",
	[OP_STREAM_QUERY] = "query",
	[OP_CONTEXT_SYNCHRONIZE] = "synchronize with the context",
	[OP_ALLOCATE] = "allocate",
	[OP_FREE] = "free",
	[OP_ALLOCATE_ASYNC] = "allocate, launch, free, all async",
	[OP_GRAPH_LAUNCH] = "replay",
	[OP_REMAKE_STREAM] = "make anew",
	[OP_REMAKE_EVENT] = "make anew",
	[OP_PAUSE] = "pause",
	[OP_MEET] = "meet the other threads",
	[OP_OTHER_CONTEXT] = "use another context and end it",
	[OP_BATCH] = "write and wait for a value in one call",
};

static const char *const way_names[N_LAUNCH_WAYS] = {
	[LAUNCH_PLAIN] = "",
	[LAUNCH_EX] = ", Ex",
	[LAUNCH_PROGRAMMATIC] = ", programmatic",
	[LAUNCH_CLUSTER] = ", clusters of 2",
	[LAUNCH_COOPERATIVE] = ", cooperative",
};

static void print_launch(const struct launch_plan *launch)
{
	printf(" %s<<<%u, %u>>> tag %u, %u us%s", kernel_names[launch->kernel], launch->grid,
	       launch->block, launch->tag, launch->microseconds, way_names[launch->way]);
}

static bool takes_stream(enum operation_kind kind)
{
	return kind <= OP_HAND_OVER || kind == OP_EVENT_RECORD || kind == OP_EVENT_WAIT ||
	       kind == OP_STREAM_SYNCHRONIZE || kind == OP_STREAM_QUERY ||
	       kind == OP_ALLOCATE_ASYNC || kind == OP_REMAKE_STREAM || kind == OP_BATCH;
}

static bool takes_event(enum operation_kind kind)
{
	return (kind >= OP_EVENT_RECORD && kind <= OP_EVENT_QUERY) || kind == OP_REMAKE_EVENT;
}

static void print_operation(const struct program *program, const struct operation *operation)
{
	printf("%s", operation_names[operation->kind]);
	if (takes_event(operation->kind))
		printf(" event %u", operation->event);
	if (operation->kind == OP_LAUNCH || operation->kind == OP_ALLOCATE_ASYNC)
		print_launch(&operation->launch);
	else if (operation->kind <= OP_MEMSET_SYNCHRONOUS)
		printf(" place %u", operation->tag);
	if (operation->kind == OP_GRAPH_LAUNCH)
		printf(" graph %u in stream %u", operation->graph,
		       program->graphs[operation->graph].stream);
	else if (takes_stream(operation->kind))
		printf(" in stream %u", operation->stream);
	if (operation->kind == OP_HAND_OVER)
		printf(" to stream %u", operation->other_stream);
	if (operation->kind == OP_PAUSE || operation->kind == OP_HOST_FUNCTION)
		printf(" for %u us", operation->microseconds);
	if (operation->is_apart)
		printf(", by a thread of its own");
	if (operation->is_past)
		printf(", past culprit (%s)", door_names[program->door]);
	if (operation->is_fault)
		printf("   <-- the fault: %s", fault_names[program->fault]);
	putchar('\n');
}

static void print_graph(const struct graph_plan *graph, unsigned index)
{
	printf("graph %u, %s%s, of thread %u:\n", index,
	       graph->is_captured ? "captured" : "made node by node",
	       graph->is_nested ? ", a child graph" : "", graph->owner);
	for (unsigned i = 0; i < graph->n_nodes; i++) {
		const struct node_plan *node = &graph->nodes[i];
		printf("  node %u", i);
		if (node->is_memset)
			printf(" memset");
		else
			print_launch(&node->launch);
		if (node->after != i)
			printf(", after node %u", node->after);
		printf("%s\n", i == graph->faulty_node ? " (the one that may be wrong)" : "");
	}
}

static void print_streams(const struct program *program)
{
	for (unsigned i = 0; i < program->n_streams; i++) {
		const struct stream_plan *stream = &program->streams[i];
		printf("stream %u: %s, priority %d, context %u, ", i,
		       stream_kind_names[stream->kind], stream->priority, stream->context);
		if (stream->owner == -1)
			printf("of all threads\n");
		else
			printf("of thread %d\n", stream->owner);
	}
}

void program_print(const struct program *program)
{
	printf("seed %llu: %u contexts, %u threads, %u streams with work, %u events, %u graphs; "
	       "fault: %s; %s its first error; ends by %s\n",
	       (unsigned long long)program->seed, program->n_contexts, program->n_threads,
	       program->n_streams_used, program->n_events, program->n_graphs,
	       fault_names[program->fault], program->goes_on ? "goes on after" : "stops at",
	       program->polls ? "queries" : "waiting");
	print_streams(program);
	for (unsigned i = 0; i < program->n_graphs; i++)
		print_graph(&program->graphs[i], i);
	for (unsigned i = 0; i < program->n_threads; i++) {
		const struct thread_plan *thread = &program->threads[i];
		printf("thread %u, context %u%s:\n", i, thread->context,
		       program->is_green[thread->context] ? ", green" : "");
		for (unsigned k = 0; k < thread->n_operations; k++) {
			printf("%5u  ", k);
			print_operation(program, &thread->operations[k]);
		}
	}
}
