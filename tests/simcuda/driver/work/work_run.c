/*
 * work_run.c - run, copy and release each kind of work.
 */
#include "work/work_run.h"

#include <stdlib.h>
#include <string.h>

#include "addresses/memory.h"
#include "code/module.h"
#include "failure/fault.h"
#include "objects.h"
#include "sim.h"
#include "work/event.h"
#include "work/kernel_run.h"
#include "work/memops.h"

static void *duplicate(const void *memory, size_t size)
{
	return memory ? memcpy(sim_alloc(size), memory, size) : NULL;
}

static size_t memops_bytes(const struct memops_work *work)
{
	return work->count * sizeof(*work->list);
}

static void copy_event(struct event_work *event)
{
	event_reference(event->event);
	if (event->completion)
		completion_reference(event->completion);
}

struct work work_copy(const struct work *work)
{
	struct work copy = *work;
	if (copy.kind == WORK_KERNEL) {
		module_reference(copy.kernel.function->module);
		copy.kernel.params = duplicate(work->kernel.params, work->kernel.params_size);
	} else if (copy.kind == WORK_MEMOPS) {
		copy.memops.list = duplicate(work->memops.list, memops_bytes(&work->memops));
	} else if (copy.kind == WORK_EVENT_RECORD || copy.kind == WORK_EVENT_WAIT) {
		copy_event(&copy.event);
	}
	return copy;
}

void work_release(struct work *work)
{
	if (work->kind == WORK_KERNEL) {
		module_release(work->kernel.function->module);
		free(work->kernel.params);
	} else if (work->kind == WORK_COPY) {
		free(work->copy.staging);
	} else if (work->kind == WORK_MEMOPS) {
		free(work->memops.list);
	} else if (work->kind == WORK_EVENT_RECORD || work->kind == WORK_EVENT_WAIT) {
		event_release(work->event.event);
		completion_release(work->event.completion);
	} else if (work->kind == WORK_GRAPH) {
		work->graph->parts->release(work->graph);
	}
	work->kind = WORK_EMPTY;
}

bool work_is_ready(const struct work *work)
{
	if (work->kind == WORK_EVENT_WAIT)
		return !work->event.completion || work->event.completion->is_done;
	if (work->kind == WORK_MEMOPS)
		return memops_are_ready(&work->memops);
	if (work->kind == WORK_GRAPH)
		return work->graph->parts->is_ready(work->graph);
	return true;
}

bool work_polls(const struct work *work)
{
	if (work->kind == WORK_GRAPH)
		return work->graph->parts->polls(work->graph);
	return work->kind == WORK_MEMOPS;
}

static void copy_rows(void *argument)
{
	const struct copy_work *copy = argument;
	for (size_t slice = 0; slice < copy->depth; slice++)
		for (size_t row = 0; row < copy->height; row++)
			memmove(copy->destination + slice * copy->destination_slice +
					row * copy->destination_pitch,
				copy->source + slice * copy->source_slice +
					row * copy->source_pitch,
				copy->width);
}

/* An element is the low bytes of the value: host and GPU are little-endian. */
static void set_row(unsigned char *row, const struct memset_work *work)
{
	for (size_t i = 0; i < work->width; i++)
		memcpy(row + i * work->element_size, &work->value, work->element_size);
}

static void set_rows(void *argument)
{
	const struct memset_work *work = argument;
	for (size_t row = 0; row < work->height; row++)
		set_row(work->destination + row * work->pitch, work);
}

static CUresult run_unlocked(void (*body)(void *argument), void *argument)
{
	pthread_mutex_unlock(&sim_lock);
	CUresult result = fault_guard(body, argument);
	pthread_mutex_lock(&sim_lock);
	return result;
}

static CUresult call_host(const struct host_work *work)
{
	pthread_mutex_unlock(&sim_lock);
	sim_thread.is_in_host_function = true;
	if (work->function)
		work->function(work->data);
	else
		work->callback(work->stream, CUDA_SUCCESS, work->data);
	sim_thread.is_in_host_function = false;
	pthread_mutex_lock(&sim_lock);
	return CUDA_SUCCESS;
}

static CUresult run_kernel(struct kernel_work *work)
{
	pthread_mutex_unlock(&sim_lock);
	CUresult result = kernel_run(work);
	pthread_mutex_lock(&sim_lock);
	return result;
}

static CUresult record_event(struct event_work *work)
{
	if (work->completion->n_parts > 1) {
		work->completion->n_parts--;
		return CUDA_SUCCESS;
	}
	work->completion->is_done = true;
	work->completion->time_ns = sim_now_ns();
	return CUDA_SUCCESS;
}

CUresult work_run(struct work *work)
{
	switch (work->kind) {
	case WORK_KERNEL:
		return run_kernel(&work->kernel);
	case WORK_COPY:
		return run_unlocked(copy_rows, &work->copy);
	case WORK_MEMSET:
		return run_unlocked(set_rows, &work->memset);
	case WORK_HOST:
		return call_host(&work->host);
	case WORK_EVENT_RECORD:
		return record_event(&work->event);
	case WORK_MEMOPS:
		return memops_run(&work->memops);
	case WORK_FREE:
		memory_free(work->freed);
		return CUDA_SUCCESS;
	case WORK_GRAPH:
		return work->graph->parts->step(work->graph);
	case WORK_EVENT_WAIT:
	case WORK_EMPTY:
		break;
	}
	return CUDA_SUCCESS;
}
