/* exhaustion.c - run out of memory, and recover or not. The simulated device has 64 MiB. */
#include <stdio.h>
#include <string.h>

#include "host.h"
#include "scenarios.h"

enum { MEBIBYTE = 1 << 20 };

static CUdeviceptr hold(size_t size)
{
	CUdeviceptr address;

	NEED(cuMemAlloc(&address, size));
	return address;
}

int run_out_of_memory(const char *what)
{
	CUdeviceptr small[4], large, more;

	for (int i = 0; i < 4; i++)
		small[i] = hold((size_t)(i + 1) * MEBIBYTE);
	large = hold((size_t)40 * MEBIBYTE);
	NEED_TRUE(cuMemAlloc(&more, (size_t)32 * MEBIBYTE) == CUDA_ERROR_OUT_OF_MEMORY);
	if (!strcmp(what, "retried")) { /* as PyTorch: gives its cache back, and tries again */
		NEED(cuMemFree(large));
		(void)hold((size_t)32 * MEBIBYTE);
	} else if (!strcmp(what, "less")) { /* a loop that continues with smaller batches */
		host_launch_some(2);
	} else { /* an uncaught exception: all memory is freed */
		for (int i = 0; i < 4; i++)
			NEED(cuMemFree(small[i]));
	}
	return 0;
}
