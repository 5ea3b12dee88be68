"""cuda-python: kernels compiled by NVRTC and launched by the driver's API: a store into nothing, or
a misaligned one."""

import sys

import numpy
from cuda.bindings import driver, nvrtc

SOURCE = b"""
extern "C" __global__ void store(char *out, long long offset)
{
	*(float *)(out + offset + 4 * (blockIdx.x * blockDim.x + threadIdx.x)) = 1.0f;
}
"""


def check(answer):
    result, *values = answer
    if int(result):
        raise RuntimeError(f"{result.name}: {driver.cuGetErrorString(result)[1].decode()}"
                           if isinstance(result, driver.CUresult) else result.name)
    return values[0] if len(values) == 1 else values


def compile_kernel(device):
    attribute = driver.CUdevice_attribute
    major = check(driver.cuDeviceGetAttribute(
        attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    minor = check(driver.cuDeviceGetAttribute(
        attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    program = check(nvrtc.nvrtcCreateProgram(SOURCE, b"store.cu", 0, [], []))
    options = [f"--gpu-architecture=sm_{major}{minor}".encode()]
    check(nvrtc.nvrtcCompileProgram(program, len(options), options))
    image = b" " * check(nvrtc.nvrtcGetCUBINSize(program))
    check(nvrtc.nvrtcGetCUBIN(program, image))
    module = check(driver.cuModuleLoadData(numpy.char.array(image)))
    return check(driver.cuModuleGetFunction(module, b"store"))


SHAPE = (16, 1, 1, 256, 1, 1, 0, 0)


class Parameters:
    """The memory that a launch reads, kept for as long as the launch may read it."""

    def __init__(self, out, offset):
        self.pointer = numpy.array([int(out)], dtype=numpy.uint64)
        self.distance = numpy.array([offset], dtype=numpy.int64)
        self.both = numpy.array([self.pointer.ctypes.data, self.distance.ctypes.data],
                                dtype=numpy.uint64)
        self.address = self.both.ctypes.data


def main(fault):
    check(driver.cuInit(0))
    device = check(driver.cuDeviceGet(0))
    context = check(driver.cuDevicePrimaryCtxRetain(device))
    check(driver.cuCtxSetCurrent(context))
    kernel = compile_kernel(device)
    out = check(driver.cuMemAlloc(1 << 20))
    good, far, odd = (Parameters(out, offset) for offset in (0, 1 << 44, 2))
    for _ in range(20):
        check(driver.cuLaunchKernel(kernel, *SHAPE, good.address, 0))
    if fault == "store":
        check(driver.cuLaunchKernel(kernel, *SHAPE, far.address, 0))  # culprit: store
    else:
        check(driver.cuLaunchKernel(kernel, *SHAPE, odd.address, 0))  # culprit: misaligned
    for _ in range(20):
        check(driver.cuLaunchKernel(kernel, *SHAPE, good.address, 0))
    check(driver.cuCtxSynchronize())


main(sys.argv[1])
