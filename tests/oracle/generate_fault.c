/* generate_fault.c - put one fault into a program that has none. */
#include "generate_fault.h"

static bool is_graph_fault(enum fault fault)
{
	return fault >= FAULT_GRAPH_MEMORY;
}

static void make_launch_wrong(struct mood *mood, struct operation *operation, enum fault fault)
{
	operation->kind = OP_LAUNCH;
	operation->launch = draw_launch(mood);
	operation->launch.kernel =
		fault == FAULT_FREED ? KERNEL_SWEEP : random_below(&mood->random, KERNEL_CLAIM + 1);
	operation->launch.is_wrong = true;
}

/* Choose a node whose kernel the fault can make wrong; the first replay after that is the fault. */
static void make_graph_wrong(struct mood *mood, struct operation *operation, unsigned thread)
{
	struct program *program = mood->program;
	unsigned chosen = draw_graph(mood, thread);
	struct graph_plan *graph = &program->graphs[chosen];
	operation->kind = OP_GRAPH_LAUNCH;
	operation->graph = chosen;
	operation->is_apart = false;
	/*
	 * The operation that makes the node wrong must stay after the earlier replays, in the same
	 * stream.
	 */
	program->streams[graph->stream].is_remade = false;
	if (program->fault == FAULT_GRAPH_UPDATE)
		graph->is_captured = false; /* a capture does not return its nodes' handles */
	if (program->fault == FAULT_GRAPH_UPDATE)
		graph->is_nested = false; /* a child graph's copy does not return them either */
	struct launch_plan *launch = &graph->nodes[graph->faulty_node].launch;
	launch->kernel = program->fault == FAULT_GRAPH_MEMORY
				 ? KERNEL_THROUGH
				 : random_below(&mood->random, KERNEL_CLAIM + 1);
	launch->is_wrong = program->fault == FAULT_GRAPH_CAPTURED;
}

/* Return the graph's first replay, in which a wrong node fails. */
static struct operation *first_launch_of(struct thread_plan *thread, struct operation *operation)
{
	for (unsigned i = 0; i < thread->n_operations; i++)
		if (thread->operations[i].kind == OP_GRAPH_LAUNCH &&
		    thread->operations[i].graph == operation->graph)
			return &thread->operations[i];
	return operation;
}

static void place_fault(struct mood *mood)
{
	struct program *program = mood->program;
	unsigned index = random_below(&mood->random, program->n_threads);
	struct thread_plan *thread = &program->threads[index];
	struct operation *operation =
		&thread->operations[random_below(&mood->random, thread->n_operations)];
	if (operation->kind == OP_MEET) /* it must stay: the others wait there */
		operation--;
	if (is_graph_fault(program->fault) && draw_graph(mood, index) == MAX_GRAPHS)
		program->fault = FAULT_KERNEL;
	if (is_graph_fault(program->fault)) {
		make_graph_wrong(mood, operation, index);
		if (program->fault == FAULT_GRAPH_CAPTURED)
			operation = first_launch_of(thread, operation);
	} else if (program->fault == FAULT_COPY) {
		operation->kind = OP_COPY_ON_DEVICE;
		operation->tag = ++program->n_tags;
	} else {
		make_launch_wrong(mood, operation, program->fault);
	}
	operation->is_fault = true;
}

static enum fault draw_fault(struct mood *mood)
{
	static const enum fault faults[] = {FAULT_NONE,         FAULT_FREED,
					    FAULT_COPY,         FAULT_GRAPH_MEMORY,
					    FAULT_GRAPH_UPDATE, FAULT_GRAPH_CAPTURED};
	if (mood->program->n_graphs && random_once_in(&mood->random, 2))
		return FAULT_GRAPH_MEMORY + random_below(&mood->random, 3);
	if (random_once_in(&mood->random, 2))
		return FAULT_KERNEL;
	return faults[random_below(&mood->random, sizeof(faults) / sizeof(faults[0]))];
}

void generate_fault(struct mood *mood)
{
	mood->program->fault = draw_fault(mood);
	if (mood->program->fault != FAULT_NONE)
		place_fault(mood);
}
