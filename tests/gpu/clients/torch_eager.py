"""PyTorch, eager: an index out of range (a device-side assertion), or freed memory."""

import sys

import torch

import gpu_memory

N = 64 << 20


def gather(table):
    index = torch.tensor([5, 10_000_000], device="cuda")
    return table[index]  # culprit: assert


def scale(weights):
    return weights.mul_(2)  # culprit: freed


def main(fault):
    weights = torch.ones(N, device="cuda")
    good = torch.randn(512, 512, device="cuda")
    for _ in range(50):
        good = torch.relu(good @ good * 1e-3)
    if fault == "assert":
        gather(weights[:100])
    else:
        gpu_memory.free(weights.data_ptr())
        scale(weights)
    for _ in range(50):
        good = torch.relu(good @ good * 1e-3)
    print("sum", float(good.sum()))


main(sys.argv[1])
