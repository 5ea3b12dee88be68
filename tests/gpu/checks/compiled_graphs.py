"""torch.compile with CUDA graph trees: in one replay a generated kernel makes a NaN, and others pass it on.

usage: compiled_graphs.py REPLAYS BAD         print a hash of the output of each replay; BAD: the one with the NaN
"""

import hashlib
import sys

import torch

LAYERS, HIDDEN, BATCH = 3, 512, 16
newest, replays = None, 0 # a graph, and how often it was launched


def count_replays():
    """Let the variables follow the launches of graphs: the first calls of a compiled function replay none."""
    start = torch.cuda.CUDAGraph.replay

    def replay(graph):
        global newest, replays
        newest, replays = graph, replays + 1 if graph is newest else 1
        start(graph)

    torch.cuda.CUDAGraph.replay = replay


@torch.compile(mode="reduce-overhead")
def step(hidden, weights, gate):
    for i, weight in enumerate(weights):
        hidden = torch.relu(hidden @ weight)
        if i == 1:
            hidden = hidden + torch.sqrt(gate) # one of the kernels has sqrt in its name
    return torch.softmax(hidden, -1)


def main():
    n_replays, bad = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    weights = [torch.randn(HIDDEN, HIDDEN, device="cuda") / 16 for _ in range(LAYERS)]
    hidden, gate = torch.randn(BATCH, HIDDEN, device="cuda"), torch.ones(HIDDEN, device="cuda")
    count_replays()
    with torch.no_grad():
        while replays < n_replays:
            gate[5] = -1 if replays + 1 == bad else 1
            torch.compiler.cudagraph_mark_step_begin()
            out = step(hidden, weights, gate) # culprit: nan
            raw = out.cpu().numpy().tobytes()
            if replays:
                print(replays, hashlib.sha256(raw).hexdigest()[:16], int(torch.isnan(out).sum()))


main()
