/* C++ with the CUDA runtime: a kernel that waits for a word that is never written. */
#include <cstdio>
#include <cstdlib>

__global__ void scale(float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] *= 2;
}

__global__ void await_word(unsigned *word)
{
	while (atomicAdd(word, 0) == 0)
		;
}

static void check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
	std::exit(1);
}

static void exchange(unsigned *word)
{
	await_word<<<1, 1>>>(word); /* culprit: spin */
	check(cudaGetLastError());
}

int main()
{
	const int n = 4096;
	float *out = nullptr;
	unsigned *word = nullptr;
	check(cudaMalloc(&out, n * sizeof(*out)));
	check(cudaMalloc(&word, sizeof(*word)));
	check(cudaMemset(word, 0, sizeof(*word)));
	for (int i = 0; i < 200; i++)
		scale<<<n / 256, 256>>>(out, n);
	exchange(word);
	for (int i = 0; i < 5; i++)
		scale<<<n / 256, 256>>>(out, n);
	std::puts("ready");
	std::fflush(stdout);
	check(cudaDeviceSynchronize());
	return 0;
}
