/*
 * test_driver.c - the table of the real driver, on the fake ones of tests/pitfalls, whose paths are
 * the arguments: a new and an old one. Eight threads attach at once.
 */
#include "record/driver/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>

#include "support/check.h"

enum { N_THREADS = 8 };

static pthread_barrier_t all_ready;

static void test_before(void)
{
	int version = 0;
	CHECK(!driver_attach());
	CHECK(!driver_load());
	CHECK_EQUAL(driver_version(), 0);
	CHECK_EQUAL(driver_call_at((const void *)(uintptr_t)test_before), -ENOENT);
	CHECK(!driver_contains((const void *)(uintptr_t)test_before));
	CHECK_EQUAL(real.cuInit(0), CUDA_ERROR_NO_DEVICE);
	CHECK_EQUAL(real.cuDriverGetVersion(&version), CUDA_ERROR_NO_DEVICE);
}

static const char *old_path;
static const struct driver *copy;

static CUresult CUDAAPI pass_on(const CUlaunchConfig *config, CUfunction f, void **params,
				void **extra)
{
	static int n_calls;
	CHECK(n_calls++ == 0);
	return copy->cuLaunchKernelEx(config, f, params, extra);
}

/* An entry point may be replaced although the old driver lacks it. */
static void test_replaced(void)
{
	CHECK(dlopen(old_path, RTLD_NOW) != NULL);
	CHECK(driver_attach());
	CHECK(!driver_has("cuLaunchKernelEx"));
	copy = driver_copy();
	CHECK(copy != NULL);
	real.cuLaunchKernelEx = pass_on;
	CHECK_EQUAL(real.cuLaunchKernelEx(NULL, NULL, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
	CHECK_EQUAL(copy->cuLaunchKernel(NULL, 0, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL),
		    CUDA_SUCCESS);
}

/* Half of the threads enter by a call, half by a look-up; none may see a half-filled table. */
static void *attach(void *data)
{
	uintptr_t number = (uintptr_t)data;
	pthread_barrier_wait(&all_ready);
	if (number % 2)
		CHECK(driver_attach());
	CHECK_EQUAL(real.cuInit(0), CUDA_SUCCESS);
	CHECK(driver_attach());
	CHECK_EQUAL(driver_call_at((const void *)(uintptr_t)real.cuLaunchKernel),
		    CALL_cuLaunchKernel);
	return NULL;
}

static void attach_from_threads(void)
{
	pthread_barrier_init(&all_ready, NULL, N_THREADS);
	pthread_t threads[N_THREADS];
	for (uintptr_t i = 0; i < N_THREADS; i++)
		CHECK_EQUAL(pthread_create(&threads[i], NULL, attach, (void *)i), 0);
	for (size_t i = 0; i < N_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* Every row: the pointer is the one from dlsym, and leads back to its own row. */
static void test_addresses(void *handle)
{
	void *address = NULL;

#define DRIVER_CALL(name, ...)                             \
	address = dlsym(handle, #name);                    \
	CHECK(address != NULL);                            \
	CHECK((uintptr_t)address == (uintptr_t)real.name); \
	CHECK_EQUAL(driver_call_at(address), CALL_##name); \
	CHECK(driver_contains(address));
#include "base/driver_calls.def"
#undef DRIVER_CALL
	address = dlsym(handle, "cuLaunchFuture");
	CHECK(driver_contains(address));
	CHECK_EQUAL(driver_call_at(address), -ENOENT);
	CHECK_EQUAL(driver_call_at(NULL), -ENOENT);
	CHECK(!driver_contains(NULL));
}

/* The driver stays loaded although its last user closes it. */
static void test_pinned(void *handle)
{
	dlclose(handle);
	CHECK_EQUAL(real.cuCtxSynchronize(), CUDA_SUCCESS);
}

static void test_unknown(void)
{
	CHECK_EQUAL(driver_unknown_calls(), 0);
	driver_count_unknown("cuMemFuture");
	CHECK_EQUAL(driver_unknown_calls(), 1);
	CHECK(!driver_unknown_launch());
	driver_count_unknown("cuGraphLaunchFuture");
	CHECK_EQUAL(driver_unknown_calls(), 2);
	CHECK(driver_unknown_launch());
}

int main(int argc, char **argv)
{
	CHECK_EQUAL(argc, 3);
	test_before();
	old_path = argv[2];
	check_in_child(test_replaced);
	void *handle = dlopen(argv[1], RTLD_NOW);
	CHECK(handle != NULL);
	attach_from_threads();
	test_addresses(handle);
	test_pinned(handle);
	CHECK_EQUAL(driver_version(), 99000);
	test_unknown();
	return 0;
}
