"""memory_faults - another library's kernel misses a framework's memory: memory_faults FRAMEWORK
FAULT KERNEL. First prints a line of JSON: the memory that a verdict has to name, and where the
kernel's pointer is relative to it, as the driver itself reports. FRAMEWORK "driver" is no
framework."""

import ctypes
import json
import os
import sys

SIZE = 64 << 20
CLOSE = 512
DRIVER = ctypes.CDLL("libcuda.so.1")


def need(code):
    assert code == 0, f"the driver says {code}"


def here():
    return sys._getframe(1).f_lineno


def no_more():
    pass


def make_by_driver():
    context, address = ctypes.c_void_p(), ctypes.c_uint64()
    need(DRIVER.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
    need(DRIVER.cuCtxSetCurrent(context))
    code, line = DRIVER.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(SIZE)), here()
    need(code)
    return address.value, line, lambda: need(DRIVER.cuMemFree_v2(address))


def make_by_torch():
    import torch

    kept = [torch.empty(SIZE, dtype=torch.uint8, device="cuda"), here()]

    def free():
        kept.clear()
        torch.cuda.empty_cache()

    return kept[0].data_ptr(), kept[1], free


def make_by_cupy(is_pooled=True):
    import cupy

    if not is_pooled:
        cupy.cuda.set_allocator(None)
    kept = [cupy.empty(SIZE, dtype=cupy.uint8), here()]

    def free():
        kept.clear()
        cupy.get_default_memory_pool().free_all_blocks()

    return kept[0].data.ptr, kept[1], free


def make_by_pycuda(is_pooled=False):
    import pycuda.autoinit
    import pycuda.driver
    import pycuda.tools

    pool = pycuda.tools.DeviceMemoryPool() if is_pooled else None
    allocate = pool.allocate if is_pooled else pycuda.driver.mem_alloc
    kept, line = allocate(SIZE), here()

    def free():
        kept.free()
        if pool:
            pool.free_held()

    KEPT.append((pool, kept))
    return int(kept), line, free


KEPT = []
MAKERS = {
    "driver": make_by_driver,
    "torch": make_by_torch,
    "triton": make_by_torch,
    "cupy": make_by_cupy,
    "cupy-unpooled": lambda: make_by_cupy(is_pooled=False),
    "cupy-kernel": make_by_cupy,
    "pycuda": make_by_pycuda,
    "pycuda-pooled": lambda: make_by_pycuda(is_pooled=True),
    "pycuda-kernel": make_by_pycuda,
}


def range_at(address):
    """(base, size) of the driver's allocation there, or None."""
    base, size = ctypes.c_uint64(), ctypes.c_size_t()
    code = DRIVER.cuMemGetAddressRange_v2(ctypes.byref(base), ctypes.byref(size), ctypes.c_uint64(address))
    return (base.value, size.value) if code == 0 else None


def outermost(piece, line, is_end):
    """The piece at the end (or begin) of what the driver has mapped without a gap, and its line if known."""
    while True:
        beside = range_at(piece[0] + piece[1] if is_end else piece[0] - 1)
        if not beside:
            return piece, line
        piece, line = beside, 0


def miss(fault, address, line, free):
    """(state, piece, line of the piece, pointer, index of the unsigned that is touched)"""
    piece = range_at(address)
    (end, end_line), (begin, begin_line) = outermost(piece, line, True), outermost(piece, line, False)
    if fault == "after":
        return "past", end, end_line, (end[0] + end[1] + CLOSE + 3) & -4, 0  # aligned: a pool asks for odd sizes
    if fault == "before":
        return "before", begin, begin_line, begin[0] - CLOSE, 0
    if fault == "index":
        return "inside", piece, line, address, (end[0] + end[1] + CLOSE - address) // 4
    free()
    return "freed", piece, line, address, 0


def launch_others(path, pointer, index):
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    need(DRIVER.cuModuleLoad(ctypes.byref(module), path.encode()))
    need(DRIVER.cuModuleGetFunction(ctypes.byref(kernel), module, b"stray_store"))
    values = [ctypes.c_uint(1), ctypes.c_uint64(pointer), ctypes.c_uint64(index)]
    parameters = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
    need(DRIVER.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, None))


def launch_triton(pointer, index):
    import torch
    import triton_store

    class Memory:
        dtype = torch.int32

        def data_ptr(self):
            return pointer

    triton_store.store[(1,)](Memory(), index)


def launch_cupy(pointer, index):
    import cupy

    store = cupy.RawKernel(
        'extern "C" __global__ void store(unsigned *out, long long i) { out[i] = 1; }', "store"
    )
    store((1,), (1,), (cupy.uint64(pointer), cupy.int64(index)))


def launch_pycuda(path, pointer, index):
    import numpy
    import pycuda.driver

    store = pycuda.driver.module_from_file(path).get_function("stray_store")
    store(numpy.uint32(1), numpy.uint64(pointer), numpy.uint64(index), block=(1, 1, 1), grid=(1, 1))


def main(framework, fault, path):
    need(DRIVER.cuInit(0))
    address, line, free = MAKERS[framework]()
    state, (base, size), line, pointer, index = miss(fault, address, line, free)
    print(json.dumps({"state": state, "base": hex(base), "size": size, "file": os.path.basename(__file__),
                      "line": line, "pointer": hex(pointer)}), flush=True)
    if framework == "triton":
        launch_triton(pointer, index)
    elif framework == "cupy-kernel":
        launch_cupy(pointer, index)
    elif framework == "pycuda-kernel":
        launch_pycuda(path, pointer, index)
    else:
        launch_others(path, pointer, index)
    # The frameworks' own cleanup at exit is not tested here.
    code = DRIVER.cuCtxSynchronize()
    sys.stdout.flush()
    os._exit(1 if code else 0)


main(*sys.argv[1:])
