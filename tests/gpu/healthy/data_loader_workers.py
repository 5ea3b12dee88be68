"""A DataLoader whose workers are processes, with pinned memory."""

import torch
from torch.utils.data import DataLoader, TensorDataset

if __name__ == "__main__":
    data = TensorDataset(torch.arange(4096, dtype=torch.float32).reshape(512, 8))
    loader = DataLoader(data, batch_size=32, num_workers=4, pin_memory=True,
                        persistent_workers=True)
    total = torch.zeros((), device="cuda")
    for _ in range(2):
        for (batch,) in loader:
            total += batch.to("cuda", non_blocking=True).sum()
    print("total", float(total))
