"""Several streams, events, asynchronous copies, and threads that use them."""

import threading

import torch

results = [None] * 4


def work(index):
    stream = torch.cuda.Stream()
    done = torch.cuda.Event(enable_timing=True)
    with torch.cuda.stream(stream):
        x = torch.full((1 << 16,), float(index), device="cuda")
        for _ in range(20):
            x = x + 1
        host = torch.empty(1 << 16, pin_memory=True)
        host.copy_(x, non_blocking=True)
        done.record(stream)
    done.synchronize()
    results[index] = float(host.sum())


threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("sums", results)
