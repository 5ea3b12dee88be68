"""PyTorch: a decode loop in a CUDA graph, 4 layers in bfloat16. At one replay a kernel makes a NaN.

usage: decode_graph.py hash REPLAYS BAD      print a hash of the output of each replay; BAD: the one with the NaN
       decode_graph.py time REPLAYS          replay without waiting; print the microseconds of a replay
"""

import hashlib
import sys
import time

import torch

LAYERS, HIDDEN, HEADS, CONTEXT, BATCH = 4, 1024, 16, 256, 8
WARM_UP = 50


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.RMSNorm(HIDDEN), torch.nn.RMSNorm(HIDDEN)
        self.queries = torch.nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.out = torch.nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.up = torch.nn.Linear(HIDDEN, 4 * HIDDEN, bias=False)
        self.down = torch.nn.Linear(4 * HIDDEN, HIDDEN, bias=False)

    def forward(self, hidden, keys, values, gate):
        queries = self.queries(self.first(hidden)).view(BATCH, HEADS, 1, HIDDEN // HEADS)
        attended = torch.nn.functional.scaled_dot_product_attention(queries, keys, values)
        hidden = hidden + self.out(attended.reshape(BATCH, HIDDEN))
        inner = self.down(torch.nn.functional.silu(self.up(self.second(hidden))))
        if gate is not None:
            gate = torch.sqrt(gate)  # culprit: nan
            inner = inner * gate
        return hidden + inner


def make():
    torch.manual_seed(1)
    layers = [Layer() for _ in range(LAYERS)]
    for layer in layers:
        layer.to("cuda", torch.bfloat16)
    shape = (BATCH, HEADS, CONTEXT, HIDDEN // HEADS)
    caches = [[torch.randn(shape, device="cuda", dtype=torch.bfloat16) for _ in range(2)] for _ in layers]
    hidden = torch.randn(BATCH, HIDDEN, device="cuda", dtype=torch.bfloat16)
    gate = torch.ones(HIDDEN, device="cuda", dtype=torch.bfloat16)

    def step():
        state = hidden
        for i, layer in enumerate(layers):
            state = layer(state, *caches[i], gate if i == 2 else None)
        return state

    return step, hidden, gate


def capture(step):
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = step()
    return graph, out


def print_hashes(graph, out, hidden, gate, replays, bad):
    for replay in range(1, replays + 1):
        hidden.copy_(torch.full_like(hidden, replay / 64).cumsum(1) / HIDDEN)
        gate[5] = -1 if replay == bad else 1
        graph.replay()
        raw = out.view(torch.int16).cpu().numpy().tobytes()
        print(replay, hashlib.sha256(raw).hexdigest()[:16], int(torch.isnan(out).sum()))


def replay_all(graph, replays):
    """Return the seconds until all have finished."""
    start = time.perf_counter()
    for _ in range(replays):
        graph.replay()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def main():
    how, replays = sys.argv[1], int(sys.argv[2])
    step, hidden, gate = make()
    with torch.no_grad():
        graph, out = capture(step)
        if how == "hash":
            print_hashes(graph, out, hidden, gate, replays, int(sys.argv[3]))
        else:
            replay_all(graph, WARM_UP)
            print(replay_all(graph, replays) / replays * 1e6)


main()
