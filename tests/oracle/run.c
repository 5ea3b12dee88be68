/* run.c - run a program: its threads, from the first operation to the last. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "world_open.h"

enum { POLL_US = 200 }; /* between two checks whether all work is done */

static bool is_over(const struct worker *worker)
{
	if (worker->world->program->goes_on)
		return atomic_load(&worker->world->is_broken);
	return atomic_load(&worker->world->failed) || atomic_load(&worker->world->is_broken);
}

static void make(struct worker *worker, const struct operation *operation)
{
	if (operation->is_fault)
		worker_make_fault(worker, operation);
	else
		worker_make(worker, operation);
}

struct apart {
	struct worker *worker;
	const struct operation *operation;
};

static void *apart_main(void *argument)
{
	const struct apart *apart = argument;
	struct world *world = apart->worker->world;
	CHECK(world, cuCtxSetCurrent(apart->worker->context->handle));
	make(apart->worker, apart->operation);
	return NULL;
}

/*
 * Run the operation in a thread of its own. The worker waits for it, so one thread at a time uses
 * the worker.
 */
static void make_apart(struct worker *worker, const struct operation *operation)
{
	struct apart apart = {worker, operation};
	pthread_t thread = 0;
	if (pthread_create(&thread, NULL, apart_main, &apart))
		world_need("pthread_create", CUDA_ERROR_UNKNOWN);
	pthread_join(thread, NULL);
}

static void run_operations(struct worker *worker)
{
	for (unsigned i = 0; i < worker->plan->n_operations; i++) {
		const struct operation *operation = &worker->plan->operations[i];
		if (is_over(worker) && operation->kind != OP_MEET)
			continue;
		if (operation->is_apart)
			make_apart(worker, operation);
		else
			make(worker, operation);
	}
}

/* Wait for all streams that this thread may use, until they are done or have failed. */
static void wait_for_streams(struct worker *worker)
{
	struct world *world = worker->world;
	const struct program *program = world->program;
	for (unsigned i = 0; i < program->n_streams; i++) {
		const struct stream_plan *plan = &program->streams[i];
		CUresult code = CUDA_ERROR_NOT_READY;
		if (plan->context != worker->plan->context ||
		    (plan->owner != -1 && plan->owner != (int)worker->index))
			continue;
		if (!program->polls)
			code = cuStreamSynchronize(world->streams[i]);
		while (code == CUDA_ERROR_NOT_READY) {
			usleep(POLL_US);
			code = cuStreamQuery(world->streams[i]);
		}
		world_check(world, "waiting for a stream", code);
	}
}

static void *worker_main(void *argument)
{
	struct worker *worker = argument;
	struct world *world = worker->world;
	CHECK(world, cuCtxSetCurrent(worker->context->handle));
	run_operations(worker);
	if (!atomic_load(&world->is_broken))
		wait_for_streams(worker);
	if (worker->extra)
		CHECK(world, cuMemFree(worker->extra));
	return NULL;
}

static void init_worker(struct worker *worker, struct world *world, unsigned index)
{
	const struct thread_plan *plan = &world->program->threads[index];
	*worker = (struct worker){.world = world,
				  .plan = plan,
				  .context = &world->contexts[plan->context],
				  .index = index,
				  .data = world->data[index]};
}

/* Run the threads; the main thread is the first of them. */
static void run_threads(struct world *world)
{
	unsigned n = world->program->n_threads;
	struct worker workers[MAX_THREADS];
	for (unsigned i = 0; i < n; i++)
		init_worker(&workers[i], world, i);
	pthread_t threads[MAX_THREADS];
	for (unsigned i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, worker_main, &workers[i]))
			world_need("pthread_create", CUDA_ERROR_UNKNOWN);
	worker_main(&workers[0]);
	for (unsigned i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
}

int program_run(const struct program *program, const char *kernels_path, const char *truth_path,
		const char *plugin_path)
{
	static struct world world;
	world.truth_path = truth_path;
	world.past = door_open(program->door, plugin_path);
	world_open(&world, program, kernels_path);
	run_threads(&world);
	for (unsigned i = 0; i < program->n_contexts; i++) {
		CHECK(&world, cuCtxSetCurrent(world.contexts[i].handle));
		CHECK(&world, cuCtxSynchronize());
	}
	int code = atomic_load(&world.failed);
	if (program->closes)
		world_close(&world);
	world_tell(&world, "{\"truth\": \"end\", \"code\": %d, \"is_broken\": %s}\n", code,
		   atomic_load(&world.is_broken) ? "true" : "false");
	if (atomic_load(&world.is_broken))
		return 2;
	return code ? 1 : 0;
}
