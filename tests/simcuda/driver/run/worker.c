/*
 * worker.c - a fixed pool of threads. Each takes the head of a ready stream, runs it with the lock
 * released, and removes it. With a seed, a programmatic launch may run before it is the head. A
 * stream whose head waits for an event or a value occupies no worker, so any number of streams may
 * wait for each other.
 */
#include "run/worker.h"

#include <signal.h>
#include <stdlib.h>

#include "code/code_address.h"
#include "code/module.h"
#include "coredump/coredump.h"
#include "coredump/faulted.h"
#include "coredump/truth.h"
#include "failure/failure.h"
#include "failure/fault.h"
#include "failure/kernel_modules.h"
#include "objects.h"
#include "progress/progress.h"
#include "random.h"
#include "run/active.h"
#include "settings.h"
#include "sim.h"
#include "work/kernel_run.h"
#include "work/operation.h"
#include "work/work.h"
#include "work/work_run.h"

/* Interval for polling memory values that streams wait for. */
#define POLL_NS UINT64_C(50000)

/* Interval for polling the GPU's time. */
#define GPU_POLL_NS UINT64_C(20000)

/* Time that the GPU takes for each memory operation of a call after the first one. */
#define MEMOP_NS UINT64_C(2000)

/* Enough for kernels of the corpus; deeper recursion overflows the stack, as on a GPU. */
#define WORKER_STACK_BYTES ((size_t)512 << 10)

static bool is_started;

/* True if an older operation on the other side of the legacy barrier blocks this one. */
static bool is_behind_barrier(const struct operation *operation)
{
	CUstream stream = operation->stream;
	CUcontext context = stream->context;
	uint64_t sequence = operation->sequence;
	if ((stream->flags & CU_STREAM_NON_BLOCKING) || stream->is_orphan)
		return false;
	if (stream->kind != STREAM_LEGACY)
		return context->legacy->head && context->legacy->head->sequence < sequence;
	for (CUstream other = active_first(); other; other = other->next_active)
		if (other->context == context && !other->is_orphan &&
		    !(other->flags & CU_STREAM_NON_BLOCKING) && other->head->sequence < sequence)
			return true;
	return false;
}

/* True if the head can run, without regard to earlier work of its channel. */
static bool is_ready_by_itself(CUstream stream)
{
	const struct operation *head = stream->head;
	return !stream->is_running && !(head->is_started && !head->is_finished) &&
	       !is_behind_barrier(head) && work_is_ready(&head->work);
}

static bool is_ready(CUstream stream)
{
	return progress_may_begin(stream->head) && is_ready_by_itself(stream);
}

/* Return the operation that a worker can take: the head, or with a seed an early launch. */
static struct operation *find_ready(CUstream stream)
{
	if (is_ready(stream))
		return stream->head;
	struct operation *early = settings.seed ? active_find_early(stream) : NULL;
	return early && !is_behind_barrier(early) && progress_may_begin(early) ? early : NULL;
}

/* The operation that a worker takes, and what it leaves for another worker. */
struct choice {
	struct operation *operation; /* or NULL */
	uint64_t n_ready;            /* operations seen that can run, including that one */
	bool must_poll;              /* a stream waits for a value in memory */
};

static void consider(struct choice *choice, CUstream stream)
{
	struct operation *operation = find_ready(stream);
	if (!operation)
		choice->must_poll |= !stream->is_running && work_polls(&stream->head->work);
	else if (choice->n_ready++ == 0 || (settings.seed && !random_below(choice->n_ready)))
		choice->operation = operation;
}

/* With a seed, choose a random ready stream; without one, the stream that became active first. */
static struct choice choose_operation(void)
{
	struct choice choice = {0};
	for (CUstream stream = active_first(); stream; stream = stream->next_active) {
		if (!failure_stops(stream->context))
			consider(&choice, stream);
		if (!settings.seed && choice.n_ready > 1)
			break;
	}
	return choice;
}

/* One idle worker polls for all. */
static void wait_for_work(bool must_poll)
{
	static bool is_polling;
	if (!must_poll || is_polling) {
		pthread_cond_wait(&sim_work, &sim_lock);
		return;
	}
	is_polling = true;
	sim_wait_until(&sim_work, sim_now_ns() + POLL_NS);
	is_polling = false;
}

/*
 * A worker that takes an operation wakes one other worker if it leaves something to do. Waking all
 * of them after each operation takes more time than the operations.
 */
static struct operation *take_ready_operation(void)
{
	for (;;) {
		struct choice choice = choose_operation();
		if (choice.n_ready > 1 || (choice.operation && choice.must_poll))
			pthread_cond_signal(&sim_work);
		if (choice.operation)
			return choice.operation;
		wait_for_work(choice.must_poll);
	}
}

/* Return how long the GPU takes for the operations of a call. One takes no time. */
static uint64_t memops_ns(const struct work *work)
{
	bool is_batch = work->kind == WORK_MEMOPS && work->memops.count > 1;
	return is_batch ? MEMOP_NS * (work->memops.count - 1) : 0;
}

/*
 * Return when the GPU is done with a call's operations. It begins them when they are accepted and
 * the work before them is done, even if the worker had no processor then.
 */
static uint64_t memops_end(const struct operation *operation)
{
	CUstream stream = operation->stream;
	uint64_t begin = operation->accepted_ns > stream->busy_until_ns ? operation->accepted_ns
									: stream->busy_until_ns;
	stream->busy_until_ns = begin + memops_ns(&operation->work);
	return stream->busy_until_ns;
}

static void delay(const struct operation *operation)
{
	unsigned longest_us = settings.delay_us;
	bool is_batch = memops_ns(&operation->work) > 0;
	if (operation->work.kind == WORK_MEMOPS)
		longest_us += settings.marker_delay_us;
	if (longest_us == 0 && !is_batch)
		return;
	for (uint64_t end_ns = is_batch ? memops_end(operation) : 0; sim_gpu_ns() < end_ns;)
		sim_wait_until(&sim_time, sim_now_ns() + GPU_POLL_NS);
	uint64_t delay_ns = random_below((uint64_t)longest_us + 1) * 1000;
	if (delay_ns)
		sim_wait_until(&sim_time, sim_now_ns() + delay_ns);
}

static void remove_head(CUstream stream)
{
	struct operation *operation = stream->head;
	stream->head = operation->next;
	if (!stream->head)
		stream->tail = NULL;
	stream->n_done++;
	if (!memops_ns(&operation->work))
		stream->busy_until_ns = sim_gpu_ns();
	if (operation->submission.number)
		stream->n_queued_submissions--;
	work_release(&operation->work);
	free(operation);
	if (!stream->head)
		active_remove(stream);
	sim_tell_progress();
}

static bool is_instant(const struct work *work)
{
	return work->kind == WORK_EVENT_RECORD || work->kind == WORK_EVENT_WAIT ||
	       work->kind == WORK_MEMOPS;
}

/* Run instant work at the head of the stream. Return true if there was any. */
static bool settle_stream(CUstream stream)
{
	bool has_moved = false;
	stream_reference(stream);
	while (stream->head && is_ready_by_itself(stream) && is_instant(&stream->head->work)) {
		progress_begun(stream->head);
		if (work_run(&stream->head->work) != CUDA_SUCCESS)
			break;
		remove_head(stream);
		has_moved = true;
	}
	stream_release(stream);
	return has_moved;
}

bool worker_settle(const struct operation *operation)
{
	CUstream stream = operation->stream;
	const struct work *work = &operation->work;
	if (work->kind != WORK_MEMOPS || memops_ns(work) || stream->head != operation ||
	    settings.seed || settings.delay_us || settings.marker_delay_us ||
	    failure_stops(stream->context) || !is_ready(stream))
		return false;
	return settle_stream(stream);
}

/* True if another worker has an event or memory operation in hand. */
static bool is_settling(void)
{
	for (CUstream stream = active_first(); stream; stream = stream->next_active)
		if (stream->is_running && is_instant(&stream->head->work))
			return true;
	return false;
}

static bool settle_ready_streams(void)
{
	bool has_moved = false;
	CUstream next = NULL;
	for (CUstream stream = active_first(); stream; stream = next) {
		next = stream->next_active;
		has_moved |= settle_stream(stream);
	}
	return has_moved;
}

/*
 * Before a fault stops all work, run the events and memory operations that are ready, whatever
 * their channel has before them. On a GPU they take microseconds, less than the failure does. Here,
 * a worker would have to wake up in time. Settings that ask for delays want them late.
 */
static void settle_instant_work(void)
{
	if (settings.delay_us || settings.marker_delay_us)
		return;
	while (settle_ready_streams() || (is_settling() && !failure_has_happened()))
		if (is_settling())
			sim_wait_until(&sim_time, sim_now_ns() + POLL_NS);
}

/* Report a fault to the kernel modules, with the GPU's address of the instruction. */
static void raise_fault(const struct operation *operation, struct simkernel_fault fault)
{
	const struct kernel_work *kernel = faulted_kernel(operation);
	if (fault.pc && kernel && kernel->function)
		fault.pc = code_address_faulting(kernel->function);
	kernel_modules_raise(&fault);
}

/* Handle a fault. With core dumps on, the driver may continue as if there were no fault. */
static CUresult fail(const struct operation *operation, CUresult code)
{
	if (failure_has_happened())
		return code;
	if (failure_is_hidden() || coredump_has_begun())
		return CUDA_SUCCESS;
	const struct simkernel_fault said = *fault_said(); /* the settled work has its own */
	settle_instant_work();
	if (failure_has_happened())
		return code;
	if (code != CUDA_ERROR_ASSERT)
		raise_fault(operation, said);
	coredump_of(operation, code);
	if (coredump_hides(operation, code)) {
		if (failure_hide(coredump_code(operation, code), settings.coredump.late_ms))
			truth_write(operation, code);
		return CUDA_SUCCESS;
	}
	if (failure_begin(coredump_code(operation, code), settings.late_ms, sim_thread.context))
		truth_write(operation, code);
	return code;
}

static CUresult run(struct operation *operation)
{
	if (operation->is_finished)
		return CUDA_SUCCESS;
	operation->is_started = operation->work.kind == WORK_KERNEL;
	progress_begun(operation);
	if (active_find_early(operation->stream))
		pthread_cond_signal(&sim_work);
	delay(operation);
	sim_thread.context = operation->stream->context;
	if (failure_stops(sim_thread.context))
		return WORK_CUT_SHORT;
	CUresult result = work_run(&operation->work);
	if (result == CUDA_SUCCESS) {
		progress_finished(operation);
	} else if (result != WORK_UNFINISHED && result != WORK_CUT_SHORT) {
		progress_faulted(operation);
		result = fail(operation, result);
	}
	return result;
}

/* A faulted or interrupted operation stays at the head, so that no later operation starts. */
static void run_head(CUstream stream)
{
	stream->is_running = true;
	CUresult result = run(stream->head);
	stream->is_running = false;
	if (result == CUDA_SUCCESS)
		remove_head(stream);
}

/* Run an early launch, which stays in the queue until it is the head. */
static void run_early(struct operation *operation)
{
	operation->is_finished = run(operation) == CUDA_SUCCESS;
}

static void run_operation(struct operation *operation)
{
	CUstream stream = operation->stream;
	stream_reference(stream);
	if (operation == stream->head)
		run_head(stream);
	else
		run_early(operation);
	stream_release(stream);
}

/* A worker takes memory before any work is queued: the program may limit its memory later. */
static void *worker_main(void *ready)
{
	fault_prepare_thread();
	kernel_prepare_thread();
	free(sim_alloc(1)); /* so malloc makes an arena for the thread */
	pthread_barrier_wait(ready);
	pthread_mutex_lock(&sim_lock);
	for (;;) {
		run_operation(take_ready_operation());
		module_unload_released();
	}
	return NULL;
}

/* Block signals that are meant for the application's threads; workers receive only faults. */
static void block_signals(sigset_t *out_old)
{
	sigset_t blocked;
	sigfillset(&blocked);
	sigdelset(&blocked, SIGSEGV);
	sigdelset(&blocked, SIGBUS);
	sigdelset(&blocked, SIGILL);
	sigdelset(&blocked, SIGFPE);
	sigdelset(&blocked, SIGTRAP);
	sigdelset(&blocked, SIGABRT);
	pthread_sigmask(SIG_SETMASK, &blocked, out_old);
}

static void start_workers(void)
{
	is_started = true;
	sigset_t old;
	block_signals(&old);
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, WORKER_STACK_BYTES);
	pthread_attr_setguardsize(&attributes, FAULT_STACK_GUARD_BYTES);
	pthread_barrier_t ready;
	pthread_barrier_init(&ready, NULL, settings.n_queues + 1);
	pthread_t thread = 0;
	for (unsigned i = 0; i < settings.n_queues; i++)
		if (pthread_create(&thread, &attributes, worker_main, &ready) != 0)
			abort();
	pthread_barrier_wait(&ready);
	pthread_barrier_destroy(&ready);
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void worker_wake(void)
{
	if (!is_started)
		start_workers();
	pthread_cond_signal(&sim_work);
}
