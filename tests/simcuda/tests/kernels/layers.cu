/*
 * layers.cu - kernels of a small network, with C++ names. One divides, also by 0, and the others
 * pass its results on.
 */
#include "simcuda_kernel.h"

namespace layers
{

template <typename T> __global__ void scale(T *out, const T *in, T factor, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		out[i] = in[i] * factor;
}

template <typename T> __global__ void divide(T *out, const T *in, const T *by, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		out[i] = in[i] / by[i];
}

template <typename T> __global__ void add(T *out, const T *in, T bias, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		out[i] = in[i] + bias;
}

/* A structure like those in which libraries pass tensors. */
template <typename T> struct tensors {
	T *data[3];
};

template <typename T> __global__ void multiply(int n, struct tensors<T> of)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		of.data[0][i] = of.data[1][i] * of.data[2][i];
}

/* Indexes have 20 bits after the point. One that is NaN is far outside, and is not noticed. */
template <typename T> __global__ void pick(T *out, const T *in, const T *index, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
	long long at = i < n ? (long long)(index[i] * (1 << 20)) >> 20 : n;

	if (at < n)
		out[i] = in[at];
}

/* The number that is NaN becomes one that is far outside. */
template <typename T> __global__ void whole(T *out, const T *in, int n)
{
	int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

	if (i < n)
		out[i] = (T)((long long)(in[i] * (1 << 20)) >> 20);
}

} // namespace layers

#define MANGLED_KERNEL(mangled, ...)                               \
	SIMCUDA_EXPORT(simcuda_kernel, simcuda_kernel_##mangled) = \
		simcuda_glue<&__VA_ARGS__>::describe(#mangled, 1024);

MANGLED_KERNEL(_ZN6layers5scaleIfEEvPT_PKS1_S1_i, layers::scale<float>)
MANGLED_KERNEL(_ZN6layers6divideIfEEvPT_PKS1_S4_i, layers::divide<float>)
MANGLED_KERNEL(_ZN6layers3addIfEEvPT_PKS1_S1_i, layers::add<float>)
MANGLED_KERNEL(_ZN6layers4pickIfEEvPT_PKS1_S4_i, layers::pick<float>)
MANGLED_KERNEL(_ZN6layers5wholeIfEEvPT_PKS1_i, layers::whole<float>)
MANGLED_KERNEL(_ZN6layers8multiplyIfEEviNS_7tensorsIT_EE, layers::multiply<float>)
