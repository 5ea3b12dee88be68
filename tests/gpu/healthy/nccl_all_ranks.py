"""NCCL with a process for each GPU of this machine, started by torch.multiprocessing."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, world_size, store):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=f"file://{store}", rank=rank,
                            world_size=world_size, device_id=torch.device("cuda", rank))
    values = torch.full((1 << 20,), float(rank + 1), device="cuda")
    for _ in range(3):
        dist.all_reduce(values)
    torch.cuda.synchronize()
    if rank == 0:
        print("mean", float(values.mean()))
    dist.destroy_process_group()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        n = torch.cuda.device_count()
        mp.spawn(work, args=(n, f"{folder}/store"), nprocs=n)
