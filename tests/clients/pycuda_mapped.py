"""Mapped host memory: kernels write it, and what they wrote before the failure stays readable."""

import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void put(int *words, long long index, int value)
{
	words[index] = value;
}
"""


def run():
    put = SourceModule(SOURCE).get_function("put")
    words = cuda.pagelocked_zeros(1024, np.int32, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
    address = words.base.get_device_pointer()
    put(np.intp(address), np.int64(1), np.int32(7), block=(1, 1, 1))
    cuda.Context.synchronize()
    print("words", words[:4])
    put(np.intp(address), np.int64(1 << 43), np.int32(9), block=(1, 1, 1))  # culprit
    put(np.intp(address), np.int64(3), np.int32(10), block=(1, 1, 1))
    try:
        cuda.Context.synchronize()
    finally:
        print("words", words[:3])


cuda.init()
context = cuda.Device(0).make_context(cuda.ctx_flags.MAP_HOST)
try:
    run()
finally:
    context.pop()
