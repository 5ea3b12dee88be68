"""The launch failure of PyCUDA's FAQ: a kernel traps, and code 719 comes as LaunchError.
docs/pycuda.md shows its output."""

import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void check(const int *values, int limit)
{
	if (values[threadIdx.x] > limit)
		__trap();
}
"""

check = SourceModule(SOURCE).get_function("check")
values = cuda.to_device(np.arange(32, dtype=np.int32))
for limit in (40, 32, 24):
    check(values, np.int32(limit), block=(32, 1, 1))  # culprit
back = np.empty(32, np.int32)
cuda.memcpy_dtoh(back, values)
