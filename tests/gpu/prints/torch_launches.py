"""PyTorch: so many launches in a loop; prints the ns that each took the thread that makes them."""

import sys
import time

import torch

n = int(sys.argv[1])
out = torch.zeros(256, device="cuda")
for _ in range(1000):
    out.add_(1)
torch.cuda.synchronize()
start = time.perf_counter_ns()
for _ in range(n):
    out.add_(1)
print((time.perf_counter_ns() - start) / n, flush=True)
torch.cuda.synchronize()
