"""PyTorch DDP, a process for each GPU, run by torchrun. The last rank goes wrong as the argument says:
bad: a step's index is out of range; skip, other, sleep: the sixth of eight all-reduces is not called,
is a broadcast, or waits for ever behind what the host does."""

import os
import sys
import time

import torch
import torch.distributed as dist
from torch.distributed.elastic.multiprocessing.errors import record

WRONG = 5


def train(way, is_guilty):
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(256, 256).cuda())
    table = torch.randn(1024, 256, device="cuda")
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    for step in range(10):
        with torch.cuda.nvtx.range(f"step {step}"):
            index = torch.arange(64, device="cuda")
            if way == "bad" and is_guilty and step == WRONG:
                index = index + 5000
            rows = table[index]  # culprit: bad
            model(rows).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()


def collect(way, is_guilty):
    data = torch.ones(1024, device="cuda")
    for number in range(8):
        if is_guilty and number == WRONG:
            if way == "skip":
                continue
            if way == "other":
                dist.broadcast(data, 0)
                continue
            time.sleep(1000)
        dist.all_reduce(data)
    print("ready", flush=True)


@record
def main(way):
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    is_guilty = rank == dist.get_world_size() - 1
    train(way, is_guilty)
    if way != "bad":
        collect(way, is_guilty)
    torch.cuda.synchronize()
    dist.destroy_process_group()


main(sys.argv[1])
