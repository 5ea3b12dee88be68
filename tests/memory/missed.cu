/*
 * missed.cu - a C++ program of the CUDA runtime whose kernel misses the memory of cudaMalloc, in
 * one way per process. Usage: missed NAME. It first prints the expected content of the verdict,
 * which it derives from what the driver says is mapped.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

static const size_t size = 64 << 20, distance = 512;

struct piece {
	uint64_t base;
	size_t size;
	int line; /* that made it; 0: not known */
};

struct fault {
	const char *state;
	piece missed;
	uint64_t pointer;
	long long index;
};

__global__ void store(unsigned *out, long long index)
{
	out[index] = 1;
}

static void need(cudaError_t result)
{
	if (result == cudaSuccess)
		return;
	fprintf(stderr, "missed: %s\n", cudaGetErrorString(result));
	exit(2);
}

static bool ask_range(uint64_t address, piece *out)
{
	static CUresult (*ask)(CUdeviceptr *, size_t *, CUdeviceptr);
	CUdeviceptr base;

	if (!ask)
		*(void **)&ask = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuMemGetAddressRange_v2");
	if (ask(&base, &out->size, address) != CUDA_SUCCESS)
		return false;
	*out = {base, out->size, 0};
	return true;
}

/* Return the last or the first piece of a mapped range without gaps. */
static piece outermost(piece from, bool is_end)
{
	piece beside;

	while (ask_range(is_end ? from.base + from.size : from.base - 1, &beside))
		from = beside;
	return from;
}

static fault miss(const char *name, piece made)
{
	piece end = outermost(made, true), begin = outermost(made, false);

	if (!strcmp(name, "after"))
		return {"past", end, end.base + end.size + distance, 0};
	if (!strcmp(name, "before"))
		return {"before", begin, begin.base - distance, 0};
	if (!strcmp(name, "index"))
		return {"inside", made, made.base,
			(long long)(end.base + end.size + distance - made.base) / 4};
	need(cudaFree((void *)made.base));
	return {"freed", made, made.base, 0};
}

int main(int argc, char **argv)
{
	void *memory;
	fault fault;

	need(cudaMalloc(&memory, size));
	fault = miss(argc > 1 ? argv[1] : "after", {(uint64_t)memory, size, __LINE__ - 1});
	printf("{\"state\": \"%s\", \"base\": \"0x%llx\", \"size\": %zu, \"file\": \"missed.cu\", "
	       "\"line\": %d, "
	       "\"pointer\": \"0x%llx\"}\n",
	       fault.state, (unsigned long long)fault.missed.base, fault.missed.size,
	       fault.missed.line, (unsigned long long)fault.pointer);
	fflush(stdout);
	store<<<1, 1>>>((unsigned *)fault.pointer, fault.index);
	return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
