"""CuPy: a fault of a kernel in a module, which CuPy compiles or loads.

usage: cupy_faults.py nvrtc|cubin KIND [busy]       KIND is of fault_kinds.py
nvrtc compiles kernels.cu with -lineinfo. The environment's GPU_FAULTS_CUBIN names the cubin.
"""

import ctypes
import os
import sys

import cupy

import fault_kinds

CONVERSIONS = {fault_kinds.Int: cupy.int32, fault_kinds.Long: cupy.int64, fault_kinds.Pointer: cupy.uint64}
ERRORS = (cupy.cuda.runtime.CUDARuntimeError, cupy.cuda.driver.CUDADriverError)


def load_module(how):
    if how == "cubin":
        return cupy.RawModule(path=os.environ["GPU_FAULTS_CUBIN"])
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels.cu")) as file:
        source = file.read()
    # CuPy compiles a temporary file. The directive gives the lines their file.
    return cupy.RawModule(code=f'#line 1 "kernels.cu"\n{source}', options=("-lineinfo",))


def make_freed():
    """Return the address of memory that CuPy has given back to the driver."""
    block = cupy.empty(fault_kinds.FREED_SIZE, dtype=cupy.uint8)
    address = block.data.ptr
    del block
    cupy.get_default_memory_pool().free_all_blocks()
    return address


def start_busy(module):
    """Keep two streams busy: one with a kernel that spins, one with CuPy's work. Return what must live."""
    good = cupy.ones((1024, 1024), dtype=cupy.float32)
    good = good * 1.5
    streams = [cupy.cuda.Stream(non_blocking=True) for _ in range(2)]
    cupy.cuda.runtime.deviceSynchronize()
    with streams[0]:
        module.get_function("spin")((132,), (32,), (cupy.int64(300_000_000),))
    with streams[1]:
        for _ in range(30):
            good = good * 1.5
    return streams, good


def main(how, kind, beside=""):
    module = load_module(how)
    stream = cupy.cuda.Stream(non_blocking=True)

    def launch(kernel, grid, block, arguments):
        values = tuple(CONVERSIONS[type(argument)](argument.value or 0) for argument in arguments)
        with stream:
            module.get_function(kernel)((grid,), (block,), values)

    memory = cupy.zeros(1 << 20, dtype=cupy.uint8)
    out = cupy.zeros(1024, dtype=cupy.int32)
    host = fault_kinds.make_host_memory()
    cupy.cuda.runtime.deviceSynchronize()
    at = fault_kinds.Places(memory.data.ptr, out.data.ptr, 0, ctypes.addressof(host))
    for _ in range(10):
        launch("load", 1, 1, [fault_kinds.Pointer(at.memory), fault_kinds.Pointer(at.out)])

    def read_out(index):
        stream.synchronize()
        return int(out[index])

    case = fault_kinds.make_launch(kind, at, launch, read_out)
    cupy.cuda.runtime.deviceSynchronize()
    if kind == "freed":
        at.freed = make_freed()
        case = fault_kinds.KINDS[kind](at)
    kept = start_busy(module) if beside == "busy" else None
    fault_kinds.print_truth(case.kernel, case.truth)
    try:
        launch(case.kernel, case.grid, case.block, case.bad)
        launch("load", 1, 1, [fault_kinds.Pointer(at.memory), fault_kinds.Pointer(at.out)])
        stream.synchronize()
        cupy.cuda.runtime.deviceSynchronize()
    except ERRORS as error:
        print(error, file=sys.stderr)
        print("error", error.status, flush=True)
        return 1
    finally:
        del kept
    print("error 0")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
