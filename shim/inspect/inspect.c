/*
 * inspect.c - replace the driver's launches.
 */
#include "inspect/inspect.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "inspect/inspected_launch.h"
#include "inspect/kernel_choice.h"
#include "record/driver/captures.h"
#include "record/driver/driver.h"
#include "record/host/cancellation.h"

/* The driver's own entry points, in a mapping of their own; written at the start only. */
static struct driver *driver;

/* Restores the thread's capture mode afterwards. */
static bool begin(const struct launch_inspected *launch)
{
	int host_errno = errno;
	int cancellation = cancellation_hold();
	bool is_begun = false;
	if (!captures_stream(launch->stream) && kernel_choice_is(launch->function)) {
		CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
		is_begun = inspected_launch_begin(launch);
		(void)captures_exchange_mode(mode);
	}
	cancellation_restore(cancellation);
	errno = host_errno;
	return is_begun;
}

static void end(const struct launch_inspected *launch, CUresult result)
{
	int host_errno = errno;
	int cancellation = cancellation_hold();
	CUstreamCaptureMode mode = captures_exchange_mode(CU_STREAM_CAPTURE_MODE_RELAXED);
	inspected_launch_end(launch, result);
	(void)captures_exchange_mode(mode);
	cancellation_restore(cancellation);
	errno = host_errno;
}

static CUresult launch_kernel(CUresult (*launch)(CUfunction, unsigned int, unsigned int,
						 unsigned int, unsigned int, unsigned int,
						 unsigned int, unsigned int, CUstream, void **,
						 void **),
			      CUstream stream, const struct args_cuLaunchKernel *args)
{
	const struct launch_inspected inspected = {args->f, stream, args->kernelParams,
						   args->extra};
	bool is_begun = begin(&inspected);
	CUresult result =
		launch(args->f, args->gridDimX, args->gridDimY, args->gridDimZ, args->blockDimX,
		       args->blockDimY, args->blockDimZ, args->sharedMemBytes, args->hStream,
		       args->kernelParams, args->extra);
	if (is_begun)
		end(&inspected, result);
	return result;
}

#define KERNEL(name, default_stream)                                                           \
	static CUresult CUDAAPI inspecting_##name(                                             \
		CUfunction f, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,   \
		unsigned int block_x, unsigned int block_y, unsigned int block_z,              \
		unsigned int shared, CUstream stream, void **parameters, void **extra)         \
	{                                                                                      \
		const struct args_cuLaunchKernel args = {f,       grid_x,     grid_y,  grid_z, \
							 block_x, block_y,    block_z, shared, \
							 stream,  parameters, extra};          \
		return launch_kernel(driver->name, stream ? stream : (default_stream), &args); \
	}
KERNEL(cuLaunchKernel, NULL)
KERNEL(cuLaunchKernel_ptsz, CU_STREAM_PER_THREAD)
#define KERNEL_EX(name, default_stream)                                                       \
	static CUresult CUDAAPI inspecting_##name(const CUlaunchConfig *config, CUfunction f, \
						  void **parameters, void **extra)            \
	{                                                                                     \
		const struct launch_inspected inspected = {                                   \
			f, config && config->hStream ? config->hStream : (default_stream),    \
			parameters, extra};                                                   \
		bool is_begun = begin(&inspected);                                            \
		CUresult result = driver->name(config, f, parameters, extra);                 \
		if (is_begun)                                                                 \
			end(&inspected, result);                                              \
		return result;                                                                \
	}
KERNEL_EX(cuLaunchKernelEx, NULL)
KERNEL_EX(cuLaunchKernelEx_ptsz, CU_STREAM_PER_THREAD)
bool inspect_start(const char *kernels)
{
	if (!*kernels)
		return false;
	void *memory = mmap(NULL, sizeof(*driver), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || !kernel_choice_start(kernels, memory) ||
	    !inspected_launch_start(memory))
		return false;
	driver = memory;
	*driver = real;
#define REPLACE(name) __atomic_store_n(&real.name, inspecting_##name, __ATOMIC_RELAXED)
	REPLACE(cuLaunchKernel);
	REPLACE(cuLaunchKernel_ptsz);
	REPLACE(cuLaunchKernelEx);
	REPLACE(cuLaunchKernelEx_ptsz);
#undef REPLACE
	return true;
}
