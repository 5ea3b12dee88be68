"""After a kernel's stray store: cleanup calls of PyCUDA whose objects need OpenGL or a second
process. Here ctypes makes the calls without an object, and the simulated driver is told to
return the failure's code, as the real one does."""

import ctypes
import sys

import numpy as np
from cuda.bindings import driver


def launch(kernel):
    words = [np.array([7], np.uint32), np.array([0], np.uint64), np.array([1 << 43], np.uint64)]
    pointers = np.array([word.ctypes.data for word in words], np.uint64)
    driver.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, 0, pointers.ctypes.data, 0)  # culprit


def give_back(libcuda):
    nothing = ctypes.c_void_p()
    yield libcuda.cuGLUnmapBufferObject(1)
    yield libcuda.cuGLUnmapBufferObjectAsync(1, None)
    yield libcuda.cuGLUnregisterBufferObject(1)
    yield libcuda.cuGraphicsUnmapResources(1, ctypes.byref(nothing), None)
    yield libcuda.cuGraphicsUnregisterResource(nothing)
    yield libcuda.cuIpcCloseMemHandle(nothing)


driver.cuInit(0)
driver.cuCtxSetCurrent(driver.cuDevicePrimaryCtxRetain(0)[1])
module = driver.cuModuleLoad(sys.argv[1].encode())[1]
launch(driver.cuModuleGetFunction(module, b"stray_store")[1])
print("synchronize", int(driver.cuCtxSynchronize()[0]))
print("cleanup", *give_back(ctypes.CDLL("libcuda.so.1")))
