"""torch.distributed with NCCL and a single rank."""

import os
import tempfile

import torch
import torch.distributed as dist

with tempfile.TemporaryDirectory() as folder:
    dist.init_process_group("nccl", init_method=f"file://{folder}/store", rank=0, world_size=1,
                            device_id=torch.device("cuda:0"))
    values = torch.ones(1 << 20, device="cuda")
    for _ in range(3):
        dist.all_reduce(values)
    parts = [torch.empty_like(values)]
    dist.all_gather(parts, values)
    dist.barrier()
    torch.cuda.synchronize()
    print("sum", float(parts[0].sum()), os.environ.get("RANK", "no rank"))
    dist.destroy_process_group()
