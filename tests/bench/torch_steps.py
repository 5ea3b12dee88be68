"""torch_steps - kinds of PyTorch work, timed: the time of one step, from the first launch until the
GPU is idle, in microseconds.

torch_steps    for each line of the standard input, the name of a work, runs a round of it and prints
               "WORK MICROSECONDS"; the writer of the lines decides which of several such processes
               runs next. The first round of a work also warms it up.

    adds          20 additions of small tensors: nothing but launches
    mlp           a training step of a small network with Adam: the host is the bottleneck
    transformer   a training step of four encoder layers: the GPU has work
    bfloat16      a training step of larger layers in bfloat16 with AdamW: some 260 pieces of work
                  that the GPU is through with sooner than the host
    decode        a loop over a step captured in a CUDA graph, as servers of language models run it
    decode_eager  the same step without a graph
"""

import sys
import time

import torch


def adds():
    x = torch.ones(1000, device="cuda")

    def step():
        y = x
        for _ in range(20):
            y = y + x
    return step


def training(model, batch, target, optimizer=None):
    optimizer = optimizer or torch.optim.Adam(model.parameters())

    def step():
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(batch), target).backward()
        optimizer.step()
    return step


def mlp():
    layers = [torch.nn.Linear(256, 256), torch.nn.ReLU()] * 4
    model = torch.nn.Sequential(*layers).cuda()
    batch = torch.randn(64, 256, device="cuda")
    return training(model, batch, torch.zeros_like(batch))


def transformer():
    layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda()
    batch = torch.randn(16, 256, 512, device="cuda")
    return training(model, batch, torch.zeros_like(batch))


def bfloat16():
    layer = torch.nn.TransformerEncoderLayer(1024, 16, 4096, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    model = model.to(device="cuda", dtype=torch.bfloat16)
    batch = torch.randn(4, 256, 1024, device="cuda", dtype=torch.bfloat16)
    return training(model, batch, torch.zeros_like(batch),
                    torch.optim.AdamW(model.parameters()))


def decoder():
    layer = torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, dropout=0)
    model = torch.nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda().eval()
    return model, torch.randn(8, 16, 512, device="cuda")


def decode_eager():
    model, token = decoder()

    def step():
        with torch.no_grad():
            model(token)
    return step


def decode():
    model, token = decoder()
    with torch.no_grad():
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                model(token)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            model(token)
    return graph.replay


# Steps in a round: enough that the cost of the final sync is negligible.
WORK = [(adds, 50), (mlp, 10), (transformer, 5), (bfloat16, 5), (decode, 20), (decode_eager, 20)]


def time_round(step, n_steps):
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    for _ in range(n_steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / n_steps / 1000


def main():
    makers = {make.__name__: (make, n_steps) for make, n_steps in WORK}
    steps = {}
    for line in sys.stdin:
        name = line.strip()
        make, n_steps = makers[name]
        if name not in steps:
            steps[name] = make()
            for _ in range(2):
                time_round(steps[name], n_steps)
        print(name, f"{time_round(steps[name], n_steps):.2f}", flush=True)


main()
