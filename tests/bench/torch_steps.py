"""torch_steps - kinds of PyTorch work, timed: the time of one step, from the first launch until the
GPU is idle, in microseconds.

torch_steps whole SECONDS [WORK...]   a line "WORK LEAST MEDIAN" for each, over rounds that take about
                                      so many seconds in all: a process as any other
torch_steps [ROUNDS]                  a line "WORK MEDIAN" for each; where culprit is preloaded, its
        recording is switched off and on from round to round, and the line is "WORK OFF ON RATIO",
        RATIO the median over the pairs of neighbouring rounds. The switch is an internal function that
        the library's symbol table names; a launch made meanwhile passes as in a process that has none
        of this but the wrapper, and finds the caches as that leaves them.

    adds          20 additions of small tensors: nothing but launches
    mlp           a training step of a small network with Adam: the host is the bottleneck
    transformer   a training step of four encoder layers: the GPU has work
    bfloat16      a training step of larger layers in bfloat16 with AdamW: about 900 launches that
                  the GPU is through with sooner than the host
    decode        a loop over a step captured in a CUDA graph, as servers of language models run it
    decode_eager  the same step without a graph
"""

import ctypes
import os
import statistics
import subprocess
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


# Steps in a round: enough that the sync at its end does not count.
WORK = [(adds, 50), (mlp, 10), (transformer, 5), (bfloat16, 5), (decode, 20), (decode_eager, 20)]
LEAST_ROUNDS = 5


def time_round(step, n_steps):
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    for _ in range(n_steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / n_steps / 1000


def load_address(library):
    with open("/proc/self/maps") as maps:
        return min(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(library))


def recording_switch(library):
    """The functions that stop and start recording in this process."""
    symbols = subprocess.run(["nm", library], capture_output=True, text=True, check=True).stdout
    offsets = {words[-1]: int(words[0], 16) for words in map(str.split, symbols.splitlines())
               if len(words) == 3}
    base = load_address(library)
    function = ctypes.CFUNCTYPE(None)
    return [function(base + offsets[name]) for name in ("recording_end", "recording_begin")]


def time_pairs(step, n_steps, n_rounds, switch):
    """[(off, on)]: rounds in turns, the first of a pair off and on in turns too."""
    pairs = []
    for i in range(n_rounds):
        pair = [0, 0]
        for is_on in (0, 1) if i % 2 else (1, 0):
            switch[is_on]()
            step()
            pair[is_on] = time_round(step, n_steps)
        pairs.append(pair)
    switch[1]()
    return pairs


def tell(name, pairs):
    off, on = (statistics.median(column) for column in zip(*pairs))
    ratio = statistics.median(pair[1] / pair[0] for pair in pairs)
    print(name, f"{off:.2f} {on:.2f} {ratio:.4f}", flush=True)


def time_whole(step, n_steps, seconds):
    """[microseconds of a step], of rounds that take about that long, after two that warm up."""
    for _ in range(2):
        time_round(step, n_steps)
    rounds, end = [], time.monotonic() + seconds
    while len(rounds) < LEAST_ROUNDS or time.monotonic() < end:
        rounds.append(time_round(step, n_steps))
    return rounds


def run_whole(seconds, names):
    works = [work for work in WORK if not names or work[0].__name__ in names]
    for make, n_steps in works:
        rounds = time_whole(make(), n_steps, seconds / len(works))
        print(make.__name__, f"{min(rounds):.2f} {statistics.median(rounds):.2f}", flush=True)


def main():
    if sys.argv[1:2] == ["whole"]:
        run_whole(float(sys.argv[2]), sys.argv[3:])
        return
    n_rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    library = os.environ.get("LD_PRELOAD")
    switch = recording_switch(library) if library else None
    for make, n_steps in WORK:
        step = make()
        for _ in range(min(3, n_rounds)):
            time_round(step, n_steps)
        if switch:
            tell(make.__name__, time_pairs(step, n_steps, n_rounds, switch))
            continue
        rounds = [time_round(step, n_steps) for _ in range(n_rounds)]
        print(make.__name__, f"{statistics.median(rounds):.2f}", flush=True)


main()
