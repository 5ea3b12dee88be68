/*
 * library.cu - the kernels of kernels.cu as a library, for programs that load it by ctypes. It
 * launches a kernel by its name, in a stream of the caller's.
 */
#include <cstring>
#include <cuda_runtime.h>

#include "kernels.cu"

struct named_kernel {
	const char *name;
	const void *kernel;
};
#define KERNEL(name) make_named(#name, (const void *)(name))

static struct named_kernel make_named(const char *name, const void *kernel)
{
	return {name, kernel};
}

static const struct named_kernel kernels[] = {
	KERNEL(spin),        KERNEL(store),       KERNEL(load),           KERNEL(add),
	KERNEL(load_vector), KERNEL(store_local), KERNEL(store_shared),   KERNEL(store_inlined),
	KERNEL(add_wide),    KERNEL(run_data),    KERNEL(overflow_stack), KERNEL(stop),
	KERNEL(claim),       KERNEL(store_pages),
};

/* Return cudaLaunchKernel()'s error, or cudaErrorInvalidDeviceFunction if the name is unknown. */
extern "C" __attribute__((visibility("default"))) int
fault_launch(const char *name, unsigned grid, unsigned block, void **arguments, void *stream)
{
	for (const struct named_kernel &each : kernels) {
		if (strcmp(each.name, name) == 0)
			return cudaLaunchKernel(each.kernel, dim3(grid), dim3(block), arguments, 0,
						(cudaStream_t)stream);
	}
	return cudaErrorInvalidDeviceFunction;
}
