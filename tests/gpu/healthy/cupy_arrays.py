"""CuPy: kernels of its own, a raw kernel, a matrix product, an FFT."""

import cupy

scale = cupy.RawKernel(
    'extern "C" __global__ void scale(float *x, float f, int n)'
    "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= f; }", "scale")
x = cupy.arange(1024, dtype=cupy.float32)
scale((4,), (256,), (x, cupy.float32(2), 1024))
print("sum", float(x.sum()), "product", float((x.reshape(32, 32) @ x.reshape(32, 32))[0, 0]))
print("spectrum", round(float(abs(cupy.fft.fft(x))[0])))
