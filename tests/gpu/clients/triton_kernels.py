"""Triton: a store far outside its tensor, or a device-side assertion."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def scatter(out, offset, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offset + i, 1.0, mask=i < n)


@triton.jit(debug=True)
def double(out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.device_assert(i < n, "out of range")
    tl.store(out + i, tl.load(out + i) * 2)


def main(fault):
    out = torch.zeros(4096, device="cuda")
    for _ in range(20):
        scatter[(16,)](out, 0, 4096, BLOCK=256)
        double[(16,)](out, 4096, BLOCK=256)
    if fault == "store":
        scatter[(16,)](out, 1 << 42, 4096, BLOCK=256)  # culprit: store
    else:
        double[(16,)](out, 4000, BLOCK=256)  # culprit: assert
    for _ in range(20):
        out = out * 1.0001
    torch.cuda.synchronize()


main(sys.argv[1])
