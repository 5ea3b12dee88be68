"""AOTInductor: a package compiled ahead of time, whose launches come from its C++ code."""

import os
import sys
import tempfile

import torch

import gpu_memory

N = 64 << 20


class Pick(torch.nn.Module):
    def forward(self, table, index):
        return (table[index] * 3 + 1).relu()


class Scale(torch.nn.Module):
    def forward(self, weights):
        return torch.sin(weights) * 2 + 1


def package(module, arguments):
    path = os.path.join(tempfile.mkdtemp(), "model.pt2")
    exported = torch.export.export(module, arguments)
    return torch._inductor.aoti_load_package(
        torch._inductor.aoti_compile_and_package(exported, package_path=path)
    )


def main(fault):
    table = torch.randn(1000, device="cuda")
    index = torch.arange(100, device="cuda")
    weights = torch.ones(N, device="cuda")
    if fault == "assert":
        pick = package(Pick(), (table, index))
        print("packaged", flush=True)
        pick(table, index)
        pick(table, index + 10_000_000)  # culprit: assert
    else:
        scale = package(Scale(), (weights,))
        print("packaged", flush=True)
        scale(weights)
        gpu_memory.free(weights.data_ptr())
        scale(weights)  # culprit: freed
    for _ in range(20):
        table = table * 1.5
    print("sum", float(table.sum()))


main(sys.argv[1])
