"""A request that no GPU can meet is caught; then PyTorch retries one after emptying its cache.

needs the GPU alone
"""

import torch

try:
    torch.empty(1 << 50, dtype=torch.uint8, device="cuda")
    print("1 PiB was granted")
except torch.cuda.OutOfMemoryError:
    print("1 PiB was refused")
free, total = torch.cuda.mem_get_info()
# Fill the cache with blocks of one size, free them, and ask for nearly all: the allocator has to
# return its cached blocks to the driver and try again.
blocks = [torch.empty(total // 10, dtype=torch.uint8, device="cuda") for _ in range(7)]
del blocks
large = torch.empty(total // 2, dtype=torch.uint8, device="cuda")
large.fill_(1)
print("last byte", int(large[-1]))
