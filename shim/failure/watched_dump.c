/*
 * watched_dump.c - wait for the dump and for the driver's code, and read both.
 */
#include "failure/watched_dump.h"

#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

#include "base/failure_class.h"
#include "coredump/gpu_exceptions.h"
#include "failure/failed_contexts.h"
#include "record/driver/coredumps.h"
#include "record/host/clock.h"

/*
 * After an error the dump, if there will be one, exists or is nearly there. Driver 580.159 made it
 * 3 ms before the call returned; one process in 75 got none.
 */
static const uint64_t APPEARS_NS = 100000000;

/* Static: too big for a host thread's stack. */
static struct gpu_coredump dump;
static struct gpu_fault fault;
static void *bytes; /* NULL: none is open */
static size_t size;
static uint64_t deadline_ns;

static bool is_of_a_fault(void)
{
	if (gpu_coredump_open(&dump, bytes, size))
		return false;
	gpu_fault_read(&dump, &fault);
	return gpu_fault_is_any(&fault);
}

const struct gpu_fault *watched_dump_open(CUresult result)
{
	uint64_t now = clock_kernel_ns();
	deadline_ns = now + WATCHED_DUMP_WAIT_NS;
	uint64_t appears_ns = result == CUDA_SUCCESS ? now : now + APPEARS_NS;
	if (!coredumps_are_watched() || coredumps_read(appears_ns, deadline_ns, &bytes, &size))
		return NULL;
	if (is_of_a_fault())
		return &fault;
	watched_dump_close();
	return NULL;
}

void watched_dump_close(void)
{
	if (bytes)
		(void)munmap(bytes, size);
	bytes = NULL;
}

/* On an H200 under driver 580.159 the code came within 300 ms of the dump in 12 of 12 processes. */
CUresult watched_dump_await_driver(struct context *about)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	CUresult code = failed_contexts_code(about);
	while (code == CUDA_SUCCESS && clock_kernel_ns() < deadline_ns) {
		(void)nanosleep(&millisecond, NULL);
		code = failed_contexts_code(about);
	}
	return code;
}

CUresult watched_dump_code(const struct gpu_fault *told, struct context *about, CUresult result)
{
	if (gpu_fault_is_retold(told))
		return (CUresult)gpu_fault_result(told);
	if (result == CUDA_SUCCESS)
		result = watched_dump_await_driver(about);
	if (!failure_is_sticky((int32_t)result))
		result = (CUresult)gpu_fault_result(told);
	return result;
}
