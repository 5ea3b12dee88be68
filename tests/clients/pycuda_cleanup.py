"""A kernel stores far outside its array while objects of every kind that PyCUDA releases are alive.
They are released one by one in a dead context. (Registered host memory is not among them:
PyCUDA's register_host_memory crashes by itself, as its own tests know.)"""

import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule
from pycuda.tools import make_default_context

SOURCE = """
__global__ void scatter(float *out, long long start, float value)
{
	out[start + threadIdx.x] = value;
}
"""


class Objects:
    """One of each, and the kernel's output."""

    def __init__(self):
        self.module = SourceModule(SOURCE)
        self.scatter = self.module.get_function("scatter")
        self.out = cuda.mem_alloc(4096)
        self.stream = cuda.Stream()
        self.event = cuda.Event()
        self.pinned = cuda.pagelocked_empty(1024, np.float32)
        self.array = cuda.make_multichannel_2d_array(np.zeros((4, 16, 16), np.float32), order="C")
        self.texture = cuda.TextureReference()
        self.texture.set_array(self.array)


def launch(objects, start, value):
    objects.scatter(objects.out, np.int64(start), np.float32(value), block=(32, 1, 1),
                    stream=objects.stream)  # culprit


def run():
    objects = Objects()
    for step in range(8):
        launch(objects, 1 << 43 if step == 5 else 32 * step, step)
    objects.event.record(objects.stream)
    cuda.memcpy_dtoh_async(objects.pinned, objects.out, objects.stream)
    print("8 launches")
    objects.stream.synchronize()


cuda.init()
context = make_default_context()
try:
    run()
finally:
    context.pop()
