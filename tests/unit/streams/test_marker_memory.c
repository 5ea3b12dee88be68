/*
 * test_marker_memory.c - preparing a context for markers, once, and what the driver refuses. The
 * driver is simulated here.
 */
#include "record/streams/marker_memory.h"

#include <sys/mman.h>

#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "support/check.h"

enum { DEVICE_WORDS = 0x5000 };

struct driver real;

static CUresult registration = CUDA_SUCCESS;
static bool has_memory = true;
static unsigned n_registered, n_streams, n_unmapped;

void *__real_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset);
int __wrap_munmap(void *at, size_t size);

void *__wrap_mmap(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
	return has_memory ? __real_mmap(at, size, access, flags, fd, offset) : MAP_FAILED;
}

int __wrap_munmap(void *at, size_t size)
{
	CHECK(at && size > 0);
	n_unmapped++;
	return 0;
}

bool driver_knows(enum driver_call call)
{
	return call == CALL_cuStreamWriteValue32_v2;
}

CUstreamCaptureMode captures_exchange_mode(CUstreamCaptureMode mode)
{
	return mode;
}

static CUresult register_host(void *at, size_t size, unsigned flags)
{
	CHECK(at && size > 0 && flags == CU_MEMHOSTREGISTER_DEVICEMAP);
	n_registered++;
	return registration;
}

static CUresult get_pointer(CUdeviceptr *out, void *at, unsigned flags)
{
	CHECK(at && flags == 0);
	*out = DEVICE_WORDS;
	return CUDA_SUCCESS;
}

static CUresult create_stream(CUstream *out, unsigned flags)
{
	CHECK_EQUAL(flags, CU_STREAM_NON_BLOCKING);
	*out = (CUstream)(uintptr_t)++n_streams;
	return CUDA_SUCCESS;
}

static void test_ready(void)
{
	static struct marker_memory memory;
	CHECK_EQUAL(marker_memory_prepare(&memory), CUDA_SUCCESS);
	CHECK_EQUAL(memory.state, MARKER_MEMORY_READY);
	CHECK(memory.words && memory.device_words == DEVICE_WORDS);
	CHECK(memory.n_side == N_PROBE_STREAMS && memory.side[0] && !memory.side[N_PROBE_STREAMS]);
	CHECK_EQUAL(marker_memory_prepare(&memory), CUDA_SUCCESS);
	CHECK_EQUAL(n_registered, 1);
	while (memory.n_side < MAX_SIDE_STREAMS)
		marker_memory_grow(&memory);
	marker_memory_grow(&memory);
	CHECK(memory.n_side == MAX_SIDE_STREAMS && n_streams == MAX_SIDE_STREAMS);

	/* The pages serve another context, in which they are registered anew. */
	volatile uint32_t *words = memory.words;
	marker_memory_lay_down(&memory);
	CHECK(memory.state == MARKER_MEMORY_NONE && memory.n_side == 0 && !memory.side[0]);
	CHECK_EQUAL(marker_memory_prepare(&memory), CUDA_SUCCESS);
	CHECK(memory.words == words && n_registered == 2);
}

static void test_refused(void)
{
	static struct marker_memory memory;
	/* A primary context that is not initialised yet is asked again. */
	registration = CUDA_ERROR_CONTEXT_IS_DESTROYED;
	CHECK_EQUAL(marker_memory_prepare(&memory), registration);
	CHECK(memory.state == MARKER_MEMORY_NONE && !memory.words && n_unmapped == 1);
	registration = CUDA_ERROR_NOT_PERMITTED;
	CHECK_EQUAL(marker_memory_prepare(&memory), registration);
	CHECK(memory.state == MARKER_MEMORY_REFUSED && !memory.words && n_unmapped == 2);
	CHECK_EQUAL(marker_memory_prepare(&memory), CUDA_SUCCESS);
	marker_memory_grow(&memory);
	CHECK_EQUAL(memory.n_side, 0);
}

static void test_no_memory(void)
{
	static struct marker_memory memory;
	unsigned n = n_registered;
	has_memory = false;
	CHECK_EQUAL(marker_memory_prepare(&memory), CUDA_ERROR_OUT_OF_MEMORY);
	CHECK(memory.state == MARKER_MEMORY_REFUSED && n_registered == n);
}

int main(void)
{
	real.cuMemHostRegister_v2 = register_host;
	real.cuMemHostGetDevicePointer_v2 = get_pointer;
	real.cuStreamCreate = create_stream;
	test_ready();
	test_refused();
	test_no_memory();
	return 0;
}
