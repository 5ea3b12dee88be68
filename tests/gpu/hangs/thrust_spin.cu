/* Thrust: an algorithm whose functor waits for a word that is never written. */
#include <cstdio>

#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/transform.h>

struct twice {
	__device__ float operator()(float value) const
	{
		return value * 2;
	}
};

struct await_word {
	unsigned *word;
	__device__ void operator()(float &value) const
	{
		while (atomicAdd(word, 0) == 0)
			;
		value = 0;
	}
};

static void exchange(thrust::device_vector<float> &out, thrust::device_vector<unsigned> &word)
{
	await_word wait{thrust::raw_pointer_cast(word.data())};
	thrust::for_each(out.begin(), out.begin() + 1, wait); /* culprit: spin */
}

int main()
{
	thrust::device_vector<float> out(4096, 1.0f);
	thrust::device_vector<unsigned> word(1, 0u);
	for (int i = 0; i < 200; i++)
		thrust::transform(out.begin(), out.end(), out.begin(), twice());
	/* for_each() waits for its kernel. */
	std::puts("ready");
	std::fflush(stdout);
	exchange(out, word);
	return 0;
}
