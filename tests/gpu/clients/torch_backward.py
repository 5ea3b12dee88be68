"""PyTorch, autograd: the bad kernel is launched by the backward pass, on the engine's own thread:
from a function's Python code, or from the engine alone, where no Python runs."""

import sys

import torch

import gpu_memory

N = 64 << 20


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        index = torch.tensor([10_000_000], device="cuda")
        return grad + grad[index]  # culprit: assert


def main(fault):
    x = torch.ones(100, device="cuda", requires_grad=True)
    weights = torch.ones(N, device="cuda")
    inputs = torch.ones(N, device="cuda", requires_grad=True)
    if fault == "assert":
        loss = Gather.apply(x).sum()
    else:
        loss = (inputs * weights).sum()
        gpu_memory.free(weights.data_ptr())
    loss.backward()  # culprit: engine, in native code at MulBackward0
    for _ in range(20):
        x = x.detach() * 1.5
    print("sum", float(x.sum()))


main(sys.argv[1])
