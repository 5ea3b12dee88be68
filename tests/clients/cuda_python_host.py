"""cuda-python: a numpy array, which CUDA does not know, is used where GPU memory should be. Calls
about it that the driver refuses are ignored, and so is an image. The kernel that gets it fails."""

import sys

import numpy as np
from cuda.bindings import driver

PTX = b".version 99.0\n.target sm_80\n.visible .entry k()\n{\n\tret;\n}\n\0"


def launch(kernel, address):
    words = [np.array([7], np.uint32), np.array([address], np.uint64), np.array([0], np.uint64)]
    pointers = np.array([word.ctypes.data for word in words], np.uint64)
    driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, pointers.ctypes.data, 0)  # culprit


def run(kernel):
    array = np.zeros(1 << 20, np.float32)
    print("pointer", int(driver.cuMemHostGetDevicePointer(array.ctypes.data, 0)[0]))
    print("unregister", int(driver.cuMemHostUnregister(array.ctypes.data)[0]))
    print("load", int(driver.cuModuleLoadData(PTX)[0]))
    launch(kernel, array.ctypes.data)
    result = int(driver.cuCtxSynchronize()[0])
    print("synchronize", result)
    return result


driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
module = driver.cuModuleLoad(sys.argv[1].encode())[1]
sys.exit(1 if run(driver.cuModuleGetFunction(module, b"stray_store")[1]) else 0)
