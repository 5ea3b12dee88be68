"""PyTorch: atomic additions of floats, whose order differs from run to run, after work that is deterministic."""

import torch

torch.manual_seed(0)
bins = torch.randint(0, 8, (1 << 20,), device="cuda")
values = torch.randn(1 << 20, device="cuda")
scaled = values * 3 + 1
sums = torch.zeros(8, device="cuda")
sums.index_add_(0, bins, scaled) # culprit: race
print(torch.cuda.synchronize())
