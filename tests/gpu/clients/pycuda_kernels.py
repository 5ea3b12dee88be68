"""PyCUDA: a store into nothing, or a trap, with arrays, a stream and an event to clean up after."""

import sys

import numpy
import pycuda.autoinit
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void store(float *out, long long offset)
{
	out[offset + blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
}

__global__ void trap(float *out, int when)
{
	if (when)
		asm("trap;");
	out[threadIdx.x] = 2.0f;
}
"""


def main(fault):
    module = SourceModule(SOURCE)
    store = module.get_function("store")
    trap = module.get_function("trap")
    out = gpuarray.zeros(4096, numpy.float32)
    host = cuda.pagelocked_empty(4096, numpy.float32)
    stream, event = cuda.Stream(), cuda.Event()
    for _ in range(20):
        store(out, numpy.int64(0), block=(256, 1, 1), grid=(16, 1))
        trap(out, numpy.int32(0), block=(32, 1, 1))
    if fault == "store":
        store(out, numpy.int64(1 << 42), block=(256, 1, 1), grid=(16, 1))  # culprit: store
    else:
        trap(out, numpy.int32(1), block=(32, 1, 1))  # culprit: trap
    event.record(stream)
    for _ in range(20):
        store(out, numpy.int64(0), block=(256, 1, 1), grid=(16, 1))
    pycuda.autoinit.context.synchronize()
    print(host[0])


main(sys.argv[1])
