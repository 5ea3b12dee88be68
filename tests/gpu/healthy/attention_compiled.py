"""Scaled dot-product attention by every backend that takes it, and flex attention compiled."""

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.flex_attention import flex_attention

q, k, v = (torch.ones(2, 4, 256, 64, device="cuda", dtype=torch.bfloat16) for _ in range(3))
for backend in (SDPBackend.MATH, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION,
                SDPBackend.CUDNN_ATTENTION):
    with sdpa_kernel(backend):
        out = torch.nn.functional.scaled_dot_product_attention(q, k, v)
        print(backend.name, float(out[0, 0, 0, 0]))
out = torch.compile(flex_attention)(q, k, v)
print("flex", float(out[0, 0, 0, 0]))
