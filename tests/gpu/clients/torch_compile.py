"""torch.compile: the kernel is generated, and launched from a generated file. The compiled
function's own frame has one line only, its first: its bytecode is not what was written here."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def scatter(out, offset, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offset + i, 1.0, mask=i < n)


@torch.compile  # culprit: assert
def pick(table, index):
    return (table[index] * 3 + 1).relu()


@torch.compile  # culprit: store
def fill(table, offset):
    out = torch.sin(table) + 1
    scatter[(4,)](out, offset, 1000, BLOCK=256)
    return out * 2


def main(fault):
    table = torch.randn(1000, device="cuda")
    index = torch.arange(100, device="cuda")
    for _ in range(3):
        pick(table, index)
        fill(table, 0)
    fill(table, 4)  # compiled anew: the offset is no constant any more
    torch.cuda.synchronize()
    if fault == "assert":
        pick(table, index + 10_000_000)
    else:
        fill(table, 1 << 42)
    for _ in range(20):
        table = table * 1.5
    print("sum", float(table.sum()))


main(sys.argv[1])
