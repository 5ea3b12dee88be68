"""PyTorch: a kernel that does not finish, after 200 launches."""

import torch

out = torch.zeros(4096, device="cuda")
for _ in range(8):
    out = out + 1
torch.cuda.synchronize()
for _ in range(200):
    out = out * 1.0001
torch.cuda._sleep(1 << 62)  # culprit: spin
for _ in range(5):
    out = out + 1
print("ready", flush=True)
torch.cuda.synchronize()
