"""Sixty tests of PyCUDA for tests/bats/pytest.bats: number 17 launches a stray store and waits for
nothing, the tests after it do without the GPU, and number 23 is the first to wait for it."""

import atexit

import numpy as np
import pycuda.driver as cuda
import pytest
from pycuda.compiler import SourceModule
from pycuda.tools import make_default_context

SOURCE = """
__global__ void scatter(float *out, long long start, float value)
{
	out[start + threadIdx.x] = value;
}
"""


class Device:
    def __init__(self):
        cuda.init()
        context = make_default_context()
        atexit.register(context.pop)
        self.kernel = SourceModule(SOURCE).get_function("scatter")
        self.out = cuda.mem_alloc(4096)

    def scatter(self, start, value):
        self.kernel(self.out, np.int64(start), np.float32(value), block=(32, 1, 1))

    def first(self):
        back = np.empty(1024, np.float32)
        cuda.memcpy_dtoh(back, self.out)
        return back[0]


@pytest.fixture(scope="module", name="device")
def fixture_device():
    return Device()


@pytest.mark.parametrize("number", range(1, 61))
def test_scatter(device, number):
    if 17 < number < 23:
        return
    device.scatter(1 << 43 if number == 17 else 0, number)
    if number != 17:
        assert device.first() == number
