# %%
import ctypes
import os

cuda = ctypes.CDLL("libcuda.so.1")
context, module, fill, stray, out = (ctypes.c_void_p() for _ in range(5))


def check(status):
    if status:
        raise RuntimeError(f"CUDA error {status}")


def load(name, function):
    check(cuda.cuModuleLoad(ctypes.byref(module), f"{os.environ['KERNELS']}/{name}.so".encode()))
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))


def launch(function, *values):
    arguments = (ctypes.c_void_p * len(values))(
        *(ctypes.cast(ctypes.pointer(value), ctypes.c_void_p) for value in values))
    check(cuda.cuLaunchKernel(function, 4, 1, 1, 32, 1, 1, 0, None, arguments, None))


check(cuda.cuInit(0))
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
check(cuda.cuCtxSetCurrent(context))
check(cuda.cuMemAlloc_v2(ctypes.byref(out), 4096))
load("stray_store", stray)
# %%
print("healthy")
# %%
number = 1
launch(stray, ctypes.c_int(number), out, ctypes.c_longlong(1 << 43))
# %%
print("still unaware")
# %%
check(cuda.cuCtxSynchronize())
# %%
check(cuda.cuCtxSynchronize())
# %%
print("without the GPU")
