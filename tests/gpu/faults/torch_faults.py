"""PyTorch: a fault of a kernel in a library that is called by ctypes, or of PyTorch's own kernels.

usage: torch_faults.py KIND [busy]      KIND is of fault_kinds.py, or of OWN below
The environment's GPU_FAULTS_LIBRARY names the library.
"""

import ctypes
import os
import sys

import torch

import fault_kinds
import gpu_memory

N = 64 << 20
INDEX = (N // 2) + 12345


def launch(kernel, grid, block, arguments):
    library = ctypes.CDLL(os.environ["GPU_FAULTS_LIBRARY"])
    pointers = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    error = library.fault_launch(kernel.encode(), grid, block, pointers, stream)
    if error:
        raise RuntimeError(f"{kernel}: the launch returned {error}")


def make_freed():
    """Return the address of memory that PyTorch has given back to the driver."""
    block = torch.empty(fault_kinds.FREED_SIZE, dtype=torch.uint8, device="cuda")
    address = block.data_ptr()
    del block
    torch.cuda.empty_cache()
    return address


def start_busy():
    """Keep two streams busy: one with a kernel that spins, one with PyTorch's work."""
    good = torch.randn(1024, 1024, device="cuda")
    good = torch.relu(good @ good * 1e-3)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(300_000_000)
    with torch.cuda.stream(torch.cuda.Stream()):
        for _ in range(30):
            good = torch.relu(good @ good * 1e-3)


def prepare_library(kind, stream):
    memory = torch.zeros(1 << 20, dtype=torch.uint8, device="cuda")
    out = torch.zeros(1024, dtype=torch.int32, device="cuda")
    host = fault_kinds.make_host_memory()
    torch.cuda.synchronize()
    at = fault_kinds.Places(memory.data_ptr(), out.data_ptr(), 0, ctypes.addressof(host))
    with torch.cuda.stream(stream):
        for _ in range(10):
            launch("load", 1, 1, [fault_kinds.Pointer(at.memory), fault_kinds.Pointer(at.out)])
        case = fault_kinds.make_launch(kind, at, launch, lambda index: int(out[index]))
    torch.cuda.synchronize()
    if kind == "freed":
        at.freed = make_freed()
        case = fault_kinds.KINDS[kind](at)
    kept = memory, out, host
    return case.kernel, case.truth, lambda: launch(case.kernel, case.grid, case.block, case.bad), kept


def fill(view, index):
    view.fill_(1)


def negate(view, index):
    return torch.neg(view)


def add_to(view, index):
    view.index_add_(0, index, torch.ones(1, device="cuda"))


def pick(view, index):
    return view[index]


# A word of the kernel's name, the access to freed memory (None: an assertion), the operation.
OWN = {"fill": ("FillFunctor", "write", fill), "negate": ("neg_kernel_cuda", "read", negate),
       "add": ("indexFuncSmallIndex", "atomic", add_to), "index": ("index_elementwise_kernel", None, pick)}


def prepare_own(kind, stream):
    word, access, operation = OWN[kind]
    whole = torch.ones(N, device="cuda")
    view = whole[INDEX:INDEX + 4]
    index = torch.zeros(1, dtype=torch.int64, device="cuda")
    with torch.cuda.stream(stream):
        operation(view, index)
    torch.cuda.synchronize()
    truth = fault_kinds.memory_truth(access, view.data_ptr()) if access else {"kind": "none"}
    if access:
        gpu_memory.free(whole.data_ptr())
    else:
        index += 10_000_000
    torch.cuda.synchronize()
    return word, truth, lambda: operation(view, index), (whole, view, index)


def report(fail, stream):
    """Call the function in the stream, print the error, and return the exit status."""
    try:
        with torch.cuda.stream(stream):
            fail()
            torch.zeros(16, device="cuda")
        torch.cuda.synchronize()
    except RuntimeError as error:
        print(error, file=sys.stderr)
        print("error", getattr(error, "error_code", -1), flush=True)
        return 1
    print("error 0")
    return 0


def main(kind, beside=""):
    torch.relu(torch.ones(16, device="cuda"))
    stream = torch.cuda.Stream()
    word, truth, fail, kept = (prepare_own if kind in OWN else prepare_library)(kind, stream)
    if beside == "busy":
        start_busy()
    fault_kinds.print_truth(word, truth)
    status = report(fail, stream)
    del kept
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
