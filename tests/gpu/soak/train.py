"""PyTorch: trains a small transformer for so many seconds, in windows, and says of each what its steps
took and what the process holds; then a step's index is out of range.

usage: train.py SECONDS WINDOWS
"""

import os
import statistics
import sys
import time

import torch

WIDTH, WORDS, LENGTH, BATCH = 256, 1000, 64, 16


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


class Training:
    def __init__(self):
        layer = torch.nn.TransformerEncoderLayer(WIDTH, 4, batch_first=True, dropout=0.1)
        self.table = torch.randn(WORDS, WIDTH, device="cuda", requires_grad=True)
        self.model = torch.nn.TransformerEncoder(layer, 4).cuda()
        self.optimizer = torch.optim.AdamW([self.table, *self.model.parameters()], lr=1e-4)

    def step(self, beyond=0):
        words = torch.randint(WORDS, (BATCH, LENGTH), device="cuda") + beyond
        rows = self.table[words]  # culprit: bad
        self.model(rows).square().mean().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()


def train(training, number, seconds):
    """A window of steps, each with the time of its launches and its end."""
    print(f"window {number} begins", flush=True)
    end = time.monotonic() + seconds
    took = []
    while time.monotonic() < end:
        start = time.monotonic()
        training.step()
        torch.cuda.synchronize()
        took.append((time.monotonic() - start) * 1e3)
    print(f"window {number}: steps {len(took)} step {statistics.median(took):.4f} ms"
          f" resident {resident_kb()} kB descriptors {len(os.listdir('/proc/self/fd'))}", flush=True)


def main(seconds, n_windows):
    print(f"pid {os.getpid()}", flush=True)
    training = Training()
    for _ in range(20):
        training.step()
    for number in range(1, n_windows + 1):
        train(training, number, seconds / n_windows)
    print("end", flush=True)
    training.step(beyond=WORDS)
    torch.cuda.synchronize()


main(float(sys.argv[1]), int(sys.argv[2]))
