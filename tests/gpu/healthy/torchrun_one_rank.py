"""torchrun starts one worker, which trains with DistributedDataParallel."""

import os
import subprocess
import sys

if "LOCAL_RANK" not in os.environ:
    # OMP_NUM_THREADS is set, or torchrun warns.
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=1",
               os.path.abspath(__file__)]
    sys.exit(subprocess.run(command, env=dict(os.environ, OMP_NUM_THREADS="1"), check=False)
             .returncode)

import torch
import torch.distributed as dist

dist.init_process_group("nccl", device_id=torch.device("cuda:0"))
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(32, 1).cuda(), device_ids=[0])
for _ in range(3):
    model(torch.ones(8, 32, device="cuda")).sum().backward()
torch.cuda.synchronize()
print("rank", dist.get_rank(), "gradient", float(model.module.weight.grad[0, 0]))
dist.destroy_process_group()
