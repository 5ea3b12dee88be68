"""Doubles the batch until memory is exhausted, then trains with the last one that fitted.

needs the GPU alone
"""

import torch

torch.cuda.set_per_process_memory_fraction(0.9)
model = torch.nn.Sequential(torch.nn.Linear(4096, 16384), torch.nn.GELU(),
                            torch.nn.Linear(16384, 4096)).cuda()


def step(batch):
    x = torch.ones(batch, 4096, device="cuda")
    model(x).square().mean().backward()
    model.zero_grad()


batch = 1 << 14
while True:
    try:
        step(batch)
    except torch.cuda.OutOfMemoryError:
        break
    batch *= 2
torch.cuda.empty_cache()
step(batch // 2)
torch.cuda.synchronize()
print("found a batch that does not fit:", batch > 1 << 14)
