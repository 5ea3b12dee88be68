/*
 * generate_more.c - change a program into one with green contexts, contexts that end in the middle,
 * child graphs, batches of memory operations and loads. The random numbers are separate from
 * generate.c's, so the rest of the program is what its seed always gave.
 */
#include "generate_more.h"
#include "random.h"

/* Make a context green; it has no per-thread default streams. */
static void make_green(struct program *program, unsigned context)
{
	program->is_green[context] = true;
	for (unsigned i = 0; i < program->n_streams; i++)
		if (program->streams[i].context == context &&
		    program->streams[i].kind == STREAM_PER_THREAD)
			program->streams[i].kind = STREAM_NON_BLOCKING;
}

/* A GPU takes up to a second to create and destroy a context, and a run of 1,000 programs hours. */
enum { MAX_OTHER_CONTEXTS = 3 };

/* Replace the first `most` operations of one kind in each thread. */
static void replace(struct program *program, enum operation_kind kind, enum operation_kind by,
		    unsigned most)
{
	for (unsigned i = 0; i < program->n_threads; i++) {
		struct thread_plan *thread = &program->threads[i];
		unsigned n = 0;
		for (unsigned k = 0; k < thread->n_operations && n < most; k++) {
			if (thread->operations[k].kind != kind)
				continue;
			thread->operations[k].kind = by;
			n++;
		}
	}
}

void generate_more(struct program *program)
{
	struct random random = {program->seed ^ UINT64_C(0x6d6f7265)};
	for (unsigned i = 0; i < program->n_contexts; i++)
		if (random_once_in(&random, 5))
			make_green(program, i);
	if (random_once_in(&random, 5))
		replace(program, OP_PAUSE, OP_OTHER_CONTEXT, MAX_OTHER_CONTEXTS);
	if (random_once_in(&random, 3))
		replace(program, OP_WRITE_VALUE, OP_BATCH, MAX_OPERATIONS);
	for (unsigned i = 0; i < program->n_graphs; i++)
		program->graphs[i].is_nested = random_once_in(&random, 3);
}

static void make_load(struct random *random, struct launch_plan *launch)
{
	if (!random_once_in(random, 2))
		return;
	if (launch->kernel == KERNEL_STRAY)
		launch->kernel = KERNEL_FETCH;
	else if (launch->kernel == KERNEL_THROUGH)
		launch->kernel = KERNEL_FETCH_THROUGH;
}

static void make_exception(struct random *random, struct launch_plan *launch)
{
	if (!random_once_in(random, 2))
		return;
	if (launch->kernel == KERNEL_QUIT)
		launch->kernel = KERNEL_ASTRAY;
	else if (launch->kernel == KERNEL_CLAIM)
		launch->kernel = KERNEL_BEYOND;
}

/* Call a function for each launch of the program, with random numbers that no other part uses. */
static void for_launches(struct program *program, uint64_t salt,
			 void (*function)(struct random *random, struct launch_plan *launch))
{
	struct random random = {program->seed ^ salt};
	for (unsigned i = 0; i < program->n_graphs; i++)
		for (unsigned k = 0; k < program->graphs[i].n_nodes; k++)
			function(&random, &program->graphs[i].nodes[k].launch);
	for (unsigned i = 0; i < program->n_threads; i++)
		for (unsigned k = 0; k < program->threads[i].n_operations; k++)
			function(&random, &program->threads[i].operations[k].launch);
}

void generate_loads(struct program *program)
{
	for_launches(program, UINT64_C(0x6c6f6164), make_load);
}

void generate_exceptions(struct program *program)
{
	for_launches(program, UINT64_C(0x65786365), make_exception);
}
