"""Tensors are passed between processes by CUDA IPC; the children are spawned."""

import torch
import torch.multiprocessing as mp


def child(queue, answer, is_over):
    tensor = queue.get()
    total = float(tensor.sum())
    del tensor
    torch.cuda.ipc_collect()
    answer.put(total)
    is_over.wait()


if __name__ == "__main__":
    context = mp.get_context("spawn")
    queue, answer = context.Queue(), context.Queue()
    is_over = context.Event()
    process = context.Process(target=child, args=(queue, answer, is_over))
    process.start()
    tensor = torch.ones(1000, device="cuda")
    queue.put(tensor)
    print("sum", answer.get(timeout=120))
    del tensor
    torch.cuda.ipc_collect()
    is_over.set()
    process.join()
