/*
 * foreign.cu - a program of the CUDA runtime that is built for another GPU. Prints what one call
 * returns, one call per process. The runtime decides by itself whether that is 98 or 209.
 */
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void fill(int *data)
{
	if (data)
		*data = 1;
}

static void no_kernel(int *)
{
}

static int run(const char *name)
{
	void *data = nullptr, *arguments[] = {&data};
	cudaFuncAttributes attributes;
	int n;

	if (!strcmp(name, "attributes"))
		return cudaFuncGetAttributes(&attributes, fill);
	if (!strcmp(name, "occupancy"))
		return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 32, 0);
	if (!strcmp(name, "unregistered"))
		return cudaLaunchKernel((const void *)no_kernel, dim3(1), dim3(1), arguments, 0, 0);
	fill<<<1, 1>>>(nullptr);
	return cudaGetLastError();
}

int main(int argc, char **argv)
{
	printf("%d\n", argc > 1 ? run(argv[1]) : 2);
	return 0;
}
