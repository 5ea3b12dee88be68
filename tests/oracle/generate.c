/*
 * generate.c - make a program from a seed: its threads and streams, then each thread's operations
 * by weights that differ from program to program, then one fault at a random place.
 */
#include "draw.h"
#include "generate_fault.h"
#include "generate_more.h"

#include <string.h>

const char *const kernel_names[N_KERNELS] = {
	[KERNEL_STRAY] = "stray",
	[KERNEL_CROOKED] = "crooked",
	[KERNEL_QUIT] = "quit",
	[KERNEL_CLAIM] = "claim",
	[KERNEL_THROUGH] = "through",
	[KERNEL_SWEEP] = "sweep",
	[KERNEL_EARLY] = "early",
	[KERNEL_FETCH] = "fetch",
	[KERNEL_FETCH_THROUGH] = "fetch_through",
	[KERNEL_ASTRAY] = "astray",
	[KERNEL_BEYOND] = "beyond",
};

const char *const fault_names[N_FAULTS] = {
	[FAULT_NONE] = "none",
	[FAULT_KERNEL] = "kernel",
	[FAULT_FREED] = "freed",
	[FAULT_COPY] = "copy",
	[FAULT_GRAPH_MEMORY] = "graph_memory",
	[FAULT_GRAPH_UPDATE] = "graph_update",
	[FAULT_GRAPH_CAPTURED] = "graph_captured",
};

const char *const stream_kind_names[4] = {"legacy", "per-thread", "blocking", "non-blocking"};

static void draw_weights(struct mood *mood)
{
	static const unsigned base[N_OPERATION_KINDS] = {
#define ROW(name, weight) weight,
		OPERATIONS(ROW)
#undef ROW
	};
	static const unsigned factors[] = {0, 1, 1, 3};

	for (unsigned kind = 0; kind <= OP_MEET; kind++) { /* the others: generate_more.c */
		unsigned factor = kind == OP_LAUNCH ? 1 : factors[random_below(&mood->random, 4)];

		mood->weights[kind] = base[kind] * factor;
		mood->weight_sum += mood->weights[kind];
	}
}

static unsigned draw_streams(struct random *random)
{
	switch (random_below(random, 8)) {
	case 0:
	case 1:
	case 2:
		return 1;
	case 3:
	case 4:
		return random_between(random, 2, 3);
	default:
		return random_between(random, 4, MAX_STREAMS);
	}
}

static void plan_stream(struct mood *mood, unsigned index)
{
	struct program *program = mood->program;
	struct random *random = &mood->random;
	static const enum stream_kind kinds[][4] = {
		{STREAM_LEGACY, STREAM_PER_THREAD, STREAM_BLOCKING, STREAM_NON_BLOCKING},
		{STREAM_BLOCKING, STREAM_BLOCKING, STREAM_NON_BLOCKING, STREAM_NON_BLOCKING},
	};
	unsigned owner = random_below(random, program->n_threads);
	bool is_shared = program->n_threads > 1 && random_once_in(random, 4);
	program->streams[index] = (struct stream_plan){
		.kind = kinds[index > 0][random_below(random, 4)],
		.priority = -(int)random_below(random, 3),
		.context = program->threads[owner].context,
		.owner = is_shared ? -1 : (int)owner,
	};
}

/* Every thread has a stream to work in. */
static void give_thread_a_stream(struct program *program, unsigned thread)
{
	unsigned index = thread % program->n_streams;
	for (unsigned i = 0; i < program->n_streams; i++)
		if (program->streams[i].owner == (int)thread ||
		    (program->streams[i].owner == -1 &&
		     program->streams[i].context == program->threads[thread].context))
			return;
	if (program->streams[index].owner != (int)thread &&
	    program->streams[index].context == program->threads[thread].context) {
		program->streams[index].owner = -1;
		return;
	}
	program->streams[program->n_streams++] = (struct stream_plan){
		.kind = STREAM_NON_BLOCKING,
		.context = program->threads[thread].context,
		.owner = (int)thread,
	};
}

/*
 * A stream can be recreated only if one thread owns it, because only that thread knows the new
 * handle. Default streams cannot be destroyed.
 */
static void find_remade(struct program *program)
{
	for (unsigned i = 0; i < program->n_streams; i++) {
		struct stream_plan *stream = &program->streams[i];
		stream->is_remade = stream->owner != -1 && stream->kind >= STREAM_BLOCKING;
	}
}

static void plan_frame(struct mood *mood)
{
	struct program *program = mood->program;
	struct random *random = &mood->random;
	program->n_contexts = random_once_in(random, 20) ? 2 : 1;
	program->n_threads = random_once_in(random, 2) ? 1 : random_between(random, 1, MAX_THREADS);
	program->n_streams = draw_streams(random);
	if (program->n_streams == 1 && !random_once_in(random, 4))
		program->n_threads = 1;
	if (program->n_threads < program->n_contexts)
		program->n_contexts = program->n_threads;
	for (unsigned i = 0; i < program->n_threads; i++)
		program->threads[i].context = i % program->n_contexts;
	for (unsigned i = 0; i < program->n_streams; i++)
		plan_stream(mood, i);
	for (unsigned i = 0; i < program->n_threads; i++)
		give_thread_a_stream(program, i);
	find_remade(program);
	program->n_events = random_between(random, 1, MAX_EVENTS);
	for (unsigned i = 0; i < program->n_events; i++)
		program->event_contexts[i] = i % program->n_contexts;
	program->goes_on = random_once_in(random, 2);
	program->closes = random_once_in(random, 2);
	program->polls = random_once_in(random, 4);
}

static void plan_graph(struct mood *mood, unsigned owner)
{
	struct program *program = mood->program;
	struct graph_plan *graph = &program->graphs[program->n_graphs];
	unsigned stream = draw_stream(mood, owner);
	unsigned fork = random_between(&mood->random, 1, 3);
	*graph = (struct graph_plan){.owner = owner,
				     .stream = stream,
				     .is_captured = random_once_in(&mood->random, 2),
				     .n_nodes = random_between(&mood->random, 1, MAX_NODES)};
	for (unsigned i = 0; i < graph->n_nodes; i++) {
		struct node_plan *node = &graph->nodes[i];
		node->launch = draw_launch(mood);
		node->launch.way = LAUNCH_PLAIN;
		node->is_memset = random_once_in(&mood->random, 6);
		node->after = i < fork ? i : i - random_between(&mood->random, 1, fork);
	}
	graph->faulty_node = random_below(&mood->random, graph->n_nodes);
	graph->nodes[graph->faulty_node].is_memset = false;
	program->n_graphs++;
}

static enum operation_kind draw_kind(struct mood *mood)
{
	unsigned at = random_below(&mood->random, mood->weight_sum);
	unsigned kind = 0;
	while (at >= mood->weights[kind])
		at -= mood->weights[kind++];
	return kind;
}

static struct operation draw_operation(struct mood *mood, unsigned thread)
{
	struct operation operation = {.kind = draw_kind(mood),
				      .stream = draw_stream(mood, thread),
				      .event = random_below(&mood->random, mood->program->n_events),
				      .graph = draw_graph(mood, thread),
				      .other_stream = draw_stream(mood, thread),
				      .is_apart = random_once_in(&mood->random, mood->apart),
				      .microseconds = random_below(&mood->random, 200)};
	if (operation.kind == OP_LAUNCH || operation.kind == OP_ALLOCATE_ASYNC)
		operation.launch = draw_launch(mood);
	else
		operation.tag = ++mood->program->n_tags;
	if (operation.kind == OP_GRAPH_LAUNCH && operation.graph == MAX_GRAPHS)
		operation.kind = OP_PAUSE;
	if (operation.kind == OP_GRAPH_LAUNCH) /* all into one stream, also a per-thread one */
		operation.is_apart = false;
	return operation;
}

/* Let all threads meet equally often, each between operations of its own. */
static void add_meetings(struct mood *mood)
{
	struct program *program = mood->program;
	unsigned n = program->n_threads > 1 ? random_below(&mood->random, 4) : 0;
	for (unsigned i = 0; i < program->n_threads; i++)
		for (unsigned meeting = 1; meeting <= n; meeting++) {
			struct thread_plan *thread = &program->threads[i];
			unsigned at = thread->n_operations * meeting / (n + 1);
			thread->operations[at].kind = OP_MEET;
		}
}

static void plan_thread(struct mood *mood, unsigned index, unsigned n_operations)
{
	struct thread_plan *thread = &mood->program->threads[index];
	thread->n_operations = n_operations;
	for (unsigned i = 0; i < n_operations; i++)
		thread->operations[i] = draw_operation(mood, index);
}

/* Plan graphs before operations, because operations may launch them. */
static void plan_threads(struct mood *mood)
{
	struct program *program = mood->program;
	struct random *random = &mood->random;
	unsigned total =
		random_once_in(random, 16) ? MAX_OPERATIONS : random_between(random, 8, 160);
	if (random_once_in(random, 3))
		for (unsigned i = random_between(random, 1, 3); i > 0; i--)
			plan_graph(mood, random_below(random, program->n_threads));
	for (unsigned i = 0; i < program->n_threads; i++) {
		unsigned share = total / program->n_threads;
		plan_thread(mood, i, share < 8 ? 8 : share);
	}
}

static bool gives_work(enum operation_kind kind)
{
	return kind <= OP_HAND_OVER || kind == OP_ALLOCATE_ASYNC || kind == OP_GRAPH_LAUNCH ||
	       kind == OP_BATCH;
}

static unsigned stream_of(const struct program *program, const struct operation *operation)
{
	return operation->kind == OP_GRAPH_LAUNCH ? program->graphs[operation->graph].stream
						  : operation->stream;
}

/*
 * Count the streams that get work. A per-thread stream counts once for each thread that uses it;
 * operations that run apart have threads of their own. A recreated stream counts as another one.
 */
static unsigned count_streams(const struct program *program)
{
	bool is_used[MAX_THREADS][MAX_STREAMS + MAX_THREADS] = {{false}};
	unsigned n = 0;
	for (unsigned i = 0; i < program->n_threads; i++)
		for (unsigned k = 0; k < program->threads[i].n_operations; k++) {
			const struct operation *operation = &program->threads[i].operations[k];
			unsigned stream = stream_of(program, operation);
			bool is_own = program->streams[stream].kind == STREAM_PER_THREAD;
			if (operation->kind == OP_REMAKE_STREAM)
				n++;
			else if (gives_work(operation->kind) && is_own && operation->is_apart)
				n++;
			else if (gives_work(operation->kind))
				is_used[is_own ? i : 0][stream] = true;
		}
	for (unsigned i = 0; i < MAX_THREADS; i++)
		for (unsigned k = 0; k < MAX_STREAMS + MAX_THREADS; k++)
			n += is_used[i][k];
	return n;
}

void program_generate(uint64_t seed, bool is_clean, struct program *out)
{
	static const unsigned longest[] = {0, 20, 100, 300};
	struct mood mood = {.random = {seed}, .program = out};
	memset(out, 0, sizeof(*out));
	out->seed = seed;
	mood.longest_us = longest[random_below(&mood.random, 4)];
	mood.special_launch = random_once_in(&mood.random, 2) ? 4 : 1000;
	mood.overlaps = random_once_in(&mood.random, 6);
	mood.apart = random_once_in(&mood.random, 8) ? 6 : 100000;
	draw_weights(&mood);
	plan_frame(&mood);
	plan_threads(&mood);
	add_meetings(&mood);
	generate_more(out);
	if (!is_clean)
		generate_fault(&mood);
	generate_loads(out);
	generate_exceptions(out);
	out->n_streams_used = count_streams(out);
}
