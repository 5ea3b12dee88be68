/*
 * inspected_launch.c - find the pointers, copy what they point to, and write it to the file.
 *
 * One launch at a time: if another thread is inspecting, a launch is made without. All data here
 * belongs to the holder of `lock`. The lock is never waited for, so it may be held while the driver
 * is called.
 */
#include "inspect/inspected_launch.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/inspection.h"
#include "check/argument_ranges.h"
#include "record/driver/driver.h"
#include "record/host/reserve.h"
#include "record/journal/bundle.h"
#include "record/objects/functions.h"
#include "record/thread.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct driver *driver; /* written at the start only */
static bool has_given_up;
static uint64_t n_written; /* bytes of the file */

/* In its own mapping: it is large, and the data that launches read is close together. */
static struct {
	struct inspection head;
	struct inspection_pointer pointers[INSPECTION_MAX_POINTERS];
	unsigned char before[INSPECTION_MAX_POINTERS][INSPECTION_MAX_BYTES];
	unsigned char after[INSPECTION_MAX_POINTERS][INSPECTION_MAX_BYTES];
} * inspected;

bool inspected_launch_start(const struct driver *real_driver)
{
	driver = real_driver;
	inspected = reserve_memory(sizeof(*inspected));
	return inspected;
}

static void find_pointers(const struct function *function, const struct launch_inspected *launch)
{
	struct argument_range ranges[INSPECTION_MAX_POINTERS];
	size_t n = argument_ranges_find(function, launch->parameters, launch->extra, NULL, ranges,
					INSPECTION_MAX_POINTERS);
	inspected->head.n_pointers = (uint32_t)n;
	for (size_t i = 0; i < n; i++)
		inspected->pointers[i] =
			(struct inspection_pointer){.address = ranges[i].address,
						    .number = ranges[i].number,
						    .start = ranges[i].start,
						    .size = ranges[i].size,
						    .parameter = ranges[i].parameter,
						    .offset = ranges[i].offset};
}

/* Copy as much of it as there is into `out`; returns the size, 0 if the driver refuses. */
static uint32_t copy(const struct inspection_pointer *pointer, unsigned char *out, CUstream stream)
{
	uint64_t left = pointer->start + pointer->size - pointer->address;
	size_t size = left < INSPECTION_MAX_BYTES ? (size_t)left : INSPECTION_MAX_BYTES;
	CUresult result =
		driver->cuMemcpyDtoHAsync_v2(out, (CUdeviceptr)pointer->address, size, stream);
	return result == CUDA_SUCCESS ? (uint32_t)size : 0;
}

static bool describe(const struct launch_inspected *launch)
{
	struct thread *thread = thread_self();
	const struct journal_record *row = thread ? ring_newest(&thread->ring) : NULL;
	const struct function *function =
		row ? functions_of(&thread->functions, launch->function) : NULL;
	if (!function || row->kind != RECORD_SUBMISSION)
		return false;
	inspected->head = (struct inspection){.magic = INSPECTION_MAGIC,
					      .sequence = row->sequence,
					      .function = function->id,
					      .stack = row->stack};
	find_pointers(function, launch);
	return inspected->head.n_pointers > 0;
}

bool inspected_launch_begin(const struct launch_inspected *launch)
{
	if (pthread_mutex_trylock(&lock))
		return false;
	bool is_started = !has_given_up && describe(launch) &&
			  driver->cuStreamSynchronize(launch->stream) == CUDA_SUCCESS;
	for (uint32_t i = 0; is_started && i < inspected->head.n_pointers; i++)
		inspected->pointers[i].n_before =
			copy(&inspected->pointers[i], inspected->before[i], launch->stream);
	if (is_started && driver->cuStreamSynchronize(launch->stream) == CUDA_SUCCESS)
		return true; /* inspected_launch_end() releases the lock */
	has_given_up = has_given_up || is_started;
	pthread_mutex_unlock(&lock);
	return false;
}

/* Use one write, so that a reader finds all of it or knows that it is not there yet. */
static bool write_all(const struct iovec *parts, int n)
{
	static const char *path;
	if (!path)
		path = bundle_memory_file(INSPECTIONS_NAME);
	int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)
		      : -1;
	if (fd < 0)
		return false;
	ssize_t written = writev(fd, parts, n);
	(void)close(fd);
	return written == (ssize_t)inspected->head.size;
}

static bool write_down(void)
{
	uint32_t n_pointers = inspected->head.n_pointers;
	struct iovec parts[2 + 2 * INSPECTION_MAX_POINTERS] = {
		{&inspected->head, sizeof(inspected->head)},
		{inspected->pointers, n_pointers * sizeof(inspected->pointers[0])}};
	int n = 2;
	for (uint32_t i = 0; i < n_pointers; i++) {
		parts[n++] = (struct iovec){inspected->before[i], inspected->pointers[i].n_before};
		parts[n++] = (struct iovec){inspected->after[i], inspected->pointers[i].n_after};
	}
	inspected->head.size = 0;
	for (int i = 0; i < n; i++)
		inspected->head.size += parts[i].iov_len;
	n_written += inspected->head.size;
	inspected->head.is_last = n_written + sizeof(*inspected) > INSPECTIONS_MAX_BYTES;
	return !store_is_over_limit(n_written) && write_all(parts, n) && !inspected->head.is_last;
}

/* A launch that fails is recorded with its memory from before. */
void inspected_launch_end(const struct launch_inspected *launch, CUresult result)
{
	CUresult waited =
		result == CUDA_SUCCESS ? driver->cuStreamSynchronize(launch->stream) : result;
	for (uint32_t i = 0; waited == CUDA_SUCCESS && i < inspected->head.n_pointers; i++)
		inspected->pointers[i].n_after =
			copy(&inspected->pointers[i], inspected->after[i], launch->stream);
	if (waited == CUDA_SUCCESS)
		waited = driver->cuStreamSynchronize(launch->stream);
	for (uint32_t i = 0; waited != CUDA_SUCCESS && i < inspected->head.n_pointers; i++)
		inspected->pointers[i].n_after = 0;
	inspected->head.failure = (int32_t)waited;
	has_given_up = !write_down() || waited != CUDA_SUCCESS;
	pthread_mutex_unlock(&lock);
}
