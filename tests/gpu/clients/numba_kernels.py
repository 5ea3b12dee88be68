"""Numba: a store far outside its array, or freed memory."""

import sys

import numpy

numpy.row_stack = numpy.vstack  # gone in NumPy 2.4, wanted by numba-cuda at import
from numba import cuda

import gpu_memory

N = 16 << 20


@cuda.jit
def store(out, offset):
    i = cuda.grid(1)
    out[i + offset] = 1.0


@cuda.jit
def double(values):
    i = cuda.grid(1)
    values[i] = values[i] * 2


def main(fault):
    out = cuda.to_device(numpy.zeros(4096, dtype=numpy.float32))
    values = cuda.to_device(numpy.ones(N, dtype=numpy.float32))
    for _ in range(20):
        store[16, 256](out, 0)
        double[16, 256](values)
    if fault == "store":
        store[16, 256](out, 1 << 42)  # culprit: store
    else:
        cuda.synchronize()
        gpu_memory.free(values.device_ctypes_pointer.value)
        double[16, 256](values)  # culprit: freed
    for _ in range(20):
        store[16, 256](out, 0)
    cuda.synchronize()


main(sys.argv[1])
