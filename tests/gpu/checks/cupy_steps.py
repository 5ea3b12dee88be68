"""CuPy: step 37 makes a NaN. Prints a digest of each step's results."""

import hashlib

import cupy

root = cupy.RawKernel(
    """extern "C" __global__ void root(float *out, const float *of, int n)
    {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n)
            out[i] = sqrtf(of[i]);
    }""",
    "root")
N = 100000
cupy.random.seed(0)
x = cupy.random.rand(N, dtype=cupy.float32) + 1
y = cupy.zeros_like(x)
for step in range(45):
    x += -1e4 if step == 37 else 1
    root((N // 256 + 1,), (256,), (y, x, cupy.int32(N))) # culprit: nan
    z = y * 2
    print(step, hashlib.sha256(z.get().tobytes()).hexdigest())
