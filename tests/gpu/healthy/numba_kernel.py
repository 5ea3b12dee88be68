"""Numba compiles and launches a kernel."""

import warnings

import numpy

numpy.row_stack = numpy.vstack  # numba-cuda needs it at import; NumPy 2.4 removed it
from numba import config, cuda

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
warnings.filterwarnings("ignore")


@cuda.jit
def add_one(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


x = cuda.to_device(numpy.zeros(1000, dtype=numpy.float32))
for _ in range(5):
    add_one[4, 256](x)
print("sum", float(x.copy_to_host().sum()))
