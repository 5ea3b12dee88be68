"""PyTorch: 0 / 0 in one place of a tensor, which the kernels after it pass on."""

import torch

N = 4096

images = torch.arange(N, device="cuda", dtype=torch.float32)
deviation = torch.arange(N, device="cuda", dtype=torch.float32) / 8
hidden = images * 2
normal = hidden / deviation  # culprit: nan
biased = normal + 1
scores = biased * 0.5
print(int(torch.isnan(scores).sum()))
