"""cuBLAS through ctypes: a freed matrix, or a host pointer."""

import ctypes
import sys

import cupy

import gpu_memory

N = 4096


def check(status):
    if status:
        raise RuntimeError(f"cuBLAS status {status}")


def main(fault):
    cublas = ctypes.CDLL(sys.argv[2] if len(sys.argv) > 2 else "libcublas.so.13")
    cublas.cublasSgemm_v2.argtypes = (
        [ctypes.c_void_p, ctypes.c_int, ctypes.c_int] + [ctypes.c_int] * 3
        + [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int] + [ctypes.c_void_p, ctypes.c_int]
        + [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    )
    a, b, c = (cupy.ones((N, N), dtype=cupy.float32) for _ in range(3))
    handle = ctypes.c_void_p()
    check(cublas.cublasCreate_v2(ctypes.byref(handle)))
    one, zero = ctypes.c_float(1), ctypes.c_float(0)

    def multiply(left, right, out):
        return (handle, 0, 0, N, N, N, ctypes.byref(one), left, N, right, N, ctypes.byref(zero),
                out, N)

    for _ in range(5):
        check(cublas.cublasSgemm_v2(*multiply(a.data.ptr, b.data.ptr, c.data.ptr)))
    cupy.cuda.runtime.deviceSynchronize()
    if fault == "freed":
        gpu_memory.free(a.data.ptr)
        check(cublas.cublasSgemm_v2(*multiply(a.data.ptr, b.data.ptr, c.data.ptr)))  # culprit: freed
    else:
        check(cublas.cublasSgemm_v2(*multiply(a.data.ptr, b.data.ptr, 1 << 44)))  # culprit: stray
    for _ in range(20):
        b = b * 1.5
    print("sum", float(b.sum()))


main(sys.argv[1])
