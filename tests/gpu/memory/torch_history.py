"""torch_history - one small tensor among others in a PyTorch segment, whose history is recorded, is
misused: torch_history KERNEL. Then culprit_cuda.torch_memory prints what PyTorch knows of the
pointer."""

import ctypes
import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "..", "python"))

from culprit_cuda import torch_memory  # noqa: E402

DRIVER = ctypes.CDLL("libcuda.so.1")


def make_embedding():
    return torch.ones(1000, device="cuda")  # culprit: embedding


def make_others():
    return [torch.ones(1000, device="cuda") for _ in range(8)]


def misuse(path, pointer):
    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
    assert DRIVER.cuModuleLoad(ctypes.byref(module), path.encode()) == 0
    assert DRIVER.cuModuleGetFunction(ctypes.byref(kernel), module, b"stray_store") == 0
    values = [ctypes.c_uint(1), ctypes.c_uint64(pointer), ctypes.c_uint64(1 << 43)]
    parameters = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
    assert DRIVER.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, parameters, None) == 0
    torch.cuda.synchronize()


def main(path):
    torch.cuda.memory._record_memory_history()
    torch_memory.keep()
    others, embedding, more = make_others(), make_embedding(), make_others()
    torch.cuda.synchronize()
    misuse(path, embedding.data_ptr())
    print(len(others) + len(more))


main(*sys.argv[1:])
