"""cuda-python: launches by cuda.bindings.driver, one of them with an index far too big. The
exception is made from cuGetErrorString, and so carries the line that culprit adds to it."""

import sys

import numpy as np
from cuda.bindings import driver


def check(answer):
    result, *values = answer
    if result != driver.CUresult.CUDA_SUCCESS:
        text = driver.cuGetErrorString(result)[1].decode()
        raise RuntimeError(f"{result.name}: {text}")
    return values[0] if len(values) == 1 else None


def launch(kernel, stream, data, index):
    values = (7, int(data), index)
    types = (np.uint32, np.uint64, np.uint64)
    words = [np.array([value], dtype) for value, dtype in zip(values, types)]
    pointers = np.array([word.ctypes.data for word in words], np.uint64)
    check(driver.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, pointers.ctypes.data,
                                0))  # culprit


def give_back(stream, event, data, pinned, registered, module):
    """Release everything, and print what the calls return: after the failure the test checks it."""
    results = [
        driver.cuEventDestroy(event),
        driver.cuStreamDestroy(stream),
        driver.cuMemFree(data),
        driver.cuMemFreeHost(pinned),
        driver.cuMemHostUnregister(registered),
        driver.cuModuleUnload(module),
    ]
    print("cleanup", *(result.name for (result,) in results))


def run(module):
    kernel = check(driver.cuModuleGetFunction(module, b"stray_store"))
    stream = check(driver.cuStreamCreate(0))
    event = check(driver.cuEventCreate(0))
    data = check(driver.cuMemAlloc(4096))
    pinned = check(driver.cuMemAllocHost(4096))
    page = np.zeros(8192, np.uint8)
    registered = page.ctypes.data + -page.ctypes.data % 4096
    check(driver.cuMemHostRegister(registered, 4096, 0))
    for step in range(12):
        launch(kernel, stream, data, 1 << 43 if step == 9 else 40 + step)
    check(driver.cuEventRecord(event, stream))
    try:
        check(driver.cuStreamSynchronize(stream))
    finally:
        give_back(stream, event, data, pinned, registered, module)


check(driver.cuInit(0))
context = check(driver.cuDevicePrimaryCtxRetain(0))
check(driver.cuCtxSetCurrent(context))
run(check(driver.cuModuleLoad(sys.argv[1].encode())))
