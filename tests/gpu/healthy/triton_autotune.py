"""Triton's autotuner: some configurations need more shared memory than the GPU has, and are skipped."""

import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"M": m, "N": n, "K": k}, num_stages=stages, num_warps=warps)
    for m, n, k, stages, warps in [
        (64, 64, 32, 2, 4), (128, 128, 32, 3, 8), (128, 256, 64, 8, 8), (256, 256, 128, 8, 8)]
]


@triton.autotune(configs=CONFIGS, key=["size"])
@triton.jit
def matmul(a, b, c, size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    total = tl.zeros((M, N), dtype=tl.float32)
    for k in range(0, size, K):
        inner = k + tl.arange(0, K)
        left = tl.load(a + rows[:, None] * size + inner[None, :])
        right = tl.load(b + inner[:, None] * size + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * size + columns[None, :], total.to(tl.float16))


SIZE = 1024
a = torch.ones(SIZE, SIZE, device="cuda", dtype=torch.float16)
b = torch.ones(SIZE, SIZE, device="cuda", dtype=torch.float16)
c = torch.empty_like(a)
matmul[lambda meta: (SIZE // meta["M"], SIZE // meta["N"])](a, b, c, SIZE)
torch.cuda.synchronize()
print("element", float(c[5, 7]))
