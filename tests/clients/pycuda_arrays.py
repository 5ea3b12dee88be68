"""gpuarray with and without a memory pool: an elementwise kernel goes too far, and the arrays, the
pool and its blocks are released afterwards."""

import sys

import numpy as np
import pycuda.autoinit
from pycuda import gpuarray
from pycuda.elementwise import ElementwiseKernel
from pycuda.tools import DeviceMemoryPool


def run(allocator):
    x = gpuarray.to_gpu(np.arange(1000, dtype=np.float32), allocator=allocator)
    y = gpuarray.zeros(1000, np.float32, allocator=allocator)
    y += 2 * x + 1
    print("y", y.get()[-1])
    shift = ElementwiseKernel("float *out, float *in, long by", "out[i + by] = in[i]",
                              "shift")
    shift(y, x, np.int64(0))
    shift(y, x, np.int64(1 << 43))  # culprit
    y *= 2
    print("y", y.get()[-1])


def main():
    if sys.argv[1] == "pool":
        pool = DeviceMemoryPool()
        run(pool.allocate)
    else:
        run(pycuda.driver.mem_alloc)


main()
