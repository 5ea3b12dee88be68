"""CuPy: raw kernels that store into nothing, or trap."""

import sys

import cupy

store = cupy.RawKernel(
    r"""
extern "C" __global__ void store(float *out, long long offset)
{
	out[offset + blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}
""",
    "store",
)

trap = cupy.RawKernel(
    r"""
extern "C" __global__ void trap(float *out, int when)
{
	if (when)
		asm("trap;");
	out[threadIdx.x] = 2.0f;
}
""",
    "trap",
)


def main(fault):
    out = cupy.zeros(4096, dtype=cupy.float32)
    for _ in range(20):
        store((16,), (256,), (out, 0))
        trap((1,), (32,), (out, 0))
    if fault == "store":
        store((16,), (256,), (out, 1 << 42))  # culprit: store
    else:
        trap((1,), (32,), (out, 1))  # culprit: trap
    for _ in range(20):
        out = out * 1.5
    print("sum", float(out.sum()))


main(sys.argv[1])
