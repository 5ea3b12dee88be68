/*
 * kernel_run.c - run all threads of a grid one after the other on one worker, block by block.
 * block.c interleaves the threads of a block at barriers.
 */
#include "work/kernel_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "addresses/memory.h"
#include "base/check_format.h"
#include "failure/failure.h"
#include "failure/fault.h"
#include "failure/machine.h"
#include "objects.h"
#include "settings.h"
#include "sim.h"
#include "work/block.h"

/* Shared memory of a block on an H200, and the free space around it, so that wild indexes fault. */
#define SHARED_BYTES       ((size_t)256 << 10)
#define SHARED_GUARD_BYTES ((size_t)256 << 20)

/* The thread sanitizer's signal handler runs before ours and makes misaligned accesses. */
#ifdef __SANITIZE_THREAD__
#define CHECK_ALIGNMENT 0
#else
#define CHECK_ALIGNMENT 1
#endif

/* The worker's own, which is never freed. */
static _Thread_local unsigned char *shared_memory;

struct grid {
	const struct kernel_work *work;
	struct simcuda_thread *thread;
	void **params;
};

static void raise_fault(enum simcuda_fault fault)
{
	fault_leave(fault == SIMCUDA_FAULT_ASSERT ? CUDA_ERROR_ASSERT : CUDA_ERROR_LAUNCH_FAILED);
}

static void check_failure(void)
{
	if (failure_stops(sim_thread.context))
		fault_leave(WORK_CUT_SHORT);
}

static void sleep_ns(uint64_t duration_ns)
{
	struct timespec duration = {.tv_sec = (time_t)(duration_ns / 1000000000u),
				    .tv_nsec = (long)(duration_ns % 1000000000u)};
	nanosleep(&duration, NULL);
	check_failure();
}

void kernel_prepare_thread(void)
{
	unsigned char *area = mmap(NULL, SHARED_BYTES + 2 * SHARED_GUARD_BYTES, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED ||
	    mprotect(area + SHARED_GUARD_BYTES, SHARED_BYTES, PROT_READ | PROT_WRITE) != 0)
		abort();
	shared_memory = area + SHARED_GUARD_BYTES;
	fault_set_shared_memory((uintptr_t)area,
				(uintptr_t)shared_memory + SHARED_BYTES + SHARED_GUARD_BYTES);
}

static void run_blocks(void *argument)
{
	struct grid *grid = argument;
	const struct simcuda_dim *size = &grid->work->grid;
	struct simcuda_dim *index = &grid->thread->block_index;
	for (index->z = 0; index->z < size->z; index->z++)
		for (index->y = 0; index->y < size->y; index->y++)
			for (index->x = 0; index->x < size->x; index->x++)
				block_run(grid->thread, grid->work->function->kernel, grid->params);
}

/* True if the address is readable: on the host, a kernel could access it. */
static bool is_host_memory(uintptr_t address)
{
	struct iovec to = {&(char){0}, 1};
	struct iovec from = {(void *)address, 1};
	if (settings.reads_pageable || address <= UINT32_MAX)
		return false;
	pthread_mutex_lock(&sim_lock);
	bool is_of_gpu = memory_is_of_gpu((const void *)address);
	pthread_mutex_unlock(&sim_lock);
	if (is_of_gpu)
		return false;
	if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) == 1)
		return true;
	/* qemu-user lacks the call. Another one that reads memory refuses what is not there. */
	return errno == ENOSYS && (access((const char *)address, F_OK) == 0 || errno != EFAULT);
}

/*
 * Return the locations of the parameters. A pointer to memory that a GPU cannot access is replaced
 * by an invalid address, which faults when the kernel uses it.
 */
static void **locate_params(const struct kernel_work *work)
{
	const struct simcuda_kernel *kernel = work->function->kernel;
	void **params = sim_alloc(kernel->n_params * (sizeof(*params) + sizeof(uintptr_t)));
	uintptr_t *values = (uintptr_t *)(void *)(params + kernel->n_params);
	for (size_t i = 0; i < kernel->n_params; i++) {
		params[i] = work->params + kernel->offsets[i];
		if (kernel->sizes[i] != sizeof(*values))
			continue;
		memcpy(&values[i], params[i], sizeof(*values));
		if (!is_host_memory(values[i]))
			continue;
		values[i] |= MACHINE_NO_ADDRESS_BIT;
		params[i] = &values[i];
	}
	return params;
}

static uint64_t read_bytes(const struct check_order *order, uint64_t bytes, bool is_scan)
{
	uint64_t n_chunks = bytes / CHECK_CHUNK_BYTES;
	uint64_t n_read = is_scan ? check_n_read((uint32_t)n_chunks, order->longest) : n_chunks;
	return bytes - (n_chunks - n_read) * CHECK_CHUNK_BYTES;
}

/* Append a line about one of culprit's checks, if there is a file for them. */
static void note_check(const struct kernel_work *work)
{
	const char *name = work->function->kernel->name;
	struct check_order order;
	uint64_t bytes = 0;
	if (!settings.checks_path ||
	    (strcmp(name, CHECK_KERNEL_NAME) != 0 && strcmp(name, CHECK_SCAN_NAME) != 0))
		return;
	int fd = open(settings.checks_path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	memcpy(&order, work->params, sizeof(order));
	for (uint32_t i = 0; i < order.n_ranges; i++)
		bytes += read_bytes(&order, order.ranges[i].bytes,
				    strcmp(name, CHECK_SCAN_NAME) == 0);
	dprintf(fd, "%s %" PRIu32 " %" PRIu64 "\n", name, order.n_ranges, bytes);
	close(fd);
}

CUresult kernel_run(struct kernel_work *work)
{
	size_t shared_bytes = ((size_t)work->shared_bytes + 15) & ~(size_t)15;
	struct simcuda_thread thread = {
		.block_dim = work->block,
		.grid_dim = work->grid,
		.dynamic_shared = shared_memory + SHARED_BYTES - shared_bytes,
		.check_alignment = CHECK_ALIGNMENT,
		.raise = raise_fault,
		.raise_misaligned = fault_misaligned,
		.checkpoint = check_failure,
		.sync_threads = block_sync_threads,
		.sleep_ns = sleep_ns,
		.now_ns = sim_now_ns,
	};
	struct grid grid = {.work = work, .thread = &thread, .params = locate_params(work)};
	const struct CUmod_st *module = work->function->module;
	fault_set_kernel_text(module->text_start, module->text_end);
	note_check(work);
	CUresult result = fault_guard(run_blocks, &grid);
	work->fault_block = thread.block_index;
	work->fault_thread = thread.thread_index;
	work->data_run = fault_data_run();
	work->is_load = fault_is_load();
	block_abandon();
	free(grid.params);
	return result;
}
