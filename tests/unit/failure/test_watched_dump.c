/*
 * test_watched_dump.c - how long a failure waits for the driver, and which code it gets. Time is
 * simulated here: it passes while the dump is read, and while the thread sleeps.
 * Argument: the folder with the sample dumps, unpacked.
 */
#include "failure/watched_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "coredump/gpu_exceptions.h"
#include "failure/failed_contexts.h"
#include "record/driver/coredumps.h"
#include "record/host/clock.h"
#include "support/check.h"

static const uint64_t MS = 1000000;
#define ABOUT ((struct context *)(uintptr_t)0x100)

bool coredumps_watched = true;
static uint64_t now_ns, reading_ns, code_ns; /* the driver has a code from then on */
static const char *folder;
static const char *sample; /* the dump's file; NULL: it is never complete */
static bool is_broken;     /* the dump's file is not one */
static uint64_t wait_ns;   /* for the dump to appear, at the last attempt */
static unsigned n_asked, n_mapped;

uint64_t clock_kernel_ns(void)
{
	return now_ns;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *out_rest);
int __wrap_nanosleep(const struct timespec *time, struct timespec *out_rest)
{
	(void)out_rest;
	now_ns += (uint64_t)time->tv_sec * 1000 * MS + (uint64_t)time->tv_nsec;
	return 0;
}

CUresult failed_contexts_code(struct context *about)
{
	CHECK(about == ABOUT);
	n_asked++;
	return now_ns >= code_ns ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

int coredumps_read(uint64_t appears_ns, uint64_t complete_ns, void **out_bytes, size_t *out_size)
{
	char path[4096];
	struct stat status;
	CHECK(appears_ns <= complete_ns && now_ns + reading_ns <= complete_ns);
	wait_ns = appears_ns - now_ns;
	now_ns += reading_ns;
	if (!sample)
		return -ETIMEDOUT;
	(void)snprintf(path, sizeof(path), "%s/%s", folder, sample);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	CHECK(fd >= 0 && fstat(fd, &status) == 0);
	*out_size = (size_t)status.st_size;
	*out_bytes = mmap(NULL, *out_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	CHECK(*out_bytes != MAP_FAILED);
	n_mapped++;
	if (is_broken)
		memset(*out_bytes, 0, 64);
	return close(fd);
}

int __real_munmap(void *start, size_t size);
int __wrap_munmap(void *start, size_t size);
int __wrap_munmap(void *start, size_t size)
{
	CHECK(n_mapped > 0);
	n_mapped--;
	return __real_munmap(start, size);
}

static void begin(uint64_t reading, uint64_t code)
{
	now_ns = 100 * MS;
	reading_ns = reading;
	code_ns = now_ns + code;
	CHECK(!watched_dump_open(CUDA_SUCCESS));
}

/* The time is bounded in total, not for each call. */
static void test_deadline(void)
{
	begin(1500 * MS, 60000 * MS);
	for (int i = 0; i < 3; i++) {
		CHECK_EQUAL(watched_dump_await_driver(ABOUT), CUDA_SUCCESS);
		CHECK_EQUAL(now_ns, 100 * MS + WATCHED_DUMP_WAIT_NS);
	}
}

static void test_code(void)
{
	begin(10 * MS, 300 * MS);
	CHECK_EQUAL(watched_dump_await_driver(ABOUT), CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_EQUAL(now_ns, 400 * MS);
}

/* A dump is one of a fault, or is not used. A success may come before its dump only by chance. */
static void test_open(void)
{
	sample = "hang_user_triggered.cudacore";
	CHECK(!watched_dump_open(CUDA_ERROR_LAUNCH_FAILED));
	CHECK_EQUAL(wait_ns, 100 * MS);
	sample = "load.cudacore";
	is_broken = true;
	CHECK(!watched_dump_open(CUDA_SUCCESS));
	CHECK_EQUAL(wait_ns, 0);
	CHECK_EQUAL(n_mapped, 0);
	is_broken = false;
	const struct gpu_fault *fault = watched_dump_open(CUDA_ERROR_LAUNCH_FAILED);
	CHECK(fault && fault->n_grids == 1 &&
	      gpu_fault_result(fault) == CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_STRING(fault->grids[0].kernel, "_Z8bad_loadPKfPfi");
	CHECK_EQUAL(n_mapped, 1);
	for (int i = 0; i < 2; i++) {
		watched_dump_close();
		CHECK_EQUAL(n_mapped, 0);
	}
	coredumps_watched = false;
	CHECK(!watched_dump_open(CUDA_ERROR_LAUNCH_FAILED));
	coredumps_watched = true;
	sample = NULL;
}

/* The driver's code counts. Without one, or if it is known to be another one, the dump's does. */
static void test_code_of_dump(void)
{
	const struct gpu_fault misaligned = {.exceptions = 1u << GPU_EXCEPTION_WARP_MISALIGNED};
	const struct gpu_fault asserted = {.exceptions = 1u << GPU_EXCEPTION_WARP_ASSERT};
	begin(0, 300 * MS);
	n_asked = 0;
	CHECK_EQUAL(watched_dump_code(&asserted, ABOUT, CUDA_SUCCESS), CUDA_ERROR_ASSERT);
	CHECK_EQUAL(watched_dump_code(&misaligned, ABOUT, CUDA_ERROR_LAUNCH_FAILED),
		    CUDA_ERROR_LAUNCH_FAILED);
	CHECK_EQUAL(watched_dump_code(&misaligned, ABOUT, CUDA_ERROR_INVALID_VALUE),
		    CUDA_ERROR_MISALIGNED_ADDRESS);
	CHECK_EQUAL(n_asked, 0);
	CHECK_EQUAL(watched_dump_code(&misaligned, ABOUT, CUDA_SUCCESS),
		    CUDA_ERROR_ILLEGAL_ADDRESS);
	CHECK_EQUAL(now_ns, 400 * MS);
	begin(0, 60000 * MS);
	CHECK_EQUAL(watched_dump_code(&misaligned, ABOUT, CUDA_SUCCESS),
		    CUDA_ERROR_MISALIGNED_ADDRESS);
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	folder = argv[1];
	test_open();
	test_deadline();
	test_code();
	test_code_of_dump();
	return 0;
}
