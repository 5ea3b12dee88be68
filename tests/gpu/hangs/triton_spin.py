"""Triton: a kernel that waits for a word that is never written, after 200 launches."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale(out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(out + i, mask=i < n) * 2, mask=i < n)


@triton.jit
def await_word(word):
    while tl.atomic_add(word, 0) == 0:
        pass


out = torch.zeros(4096, device="cuda")
word = torch.ones(1, dtype=torch.int32, device="cuda")
scale[(16,)](out, 4096, BLOCK=256)
await_word[(1,)](word)
torch.cuda.synchronize()
word.zero_()
for _ in range(200):
    scale[(16,)](out, 4096, BLOCK=256)
await_word[(1,)](word)  # culprit: spin
for _ in range(5):
    scale[(16,)](out, 4096, BLOCK=256)
print("ready", flush=True)
torch.cuda.synchronize()
