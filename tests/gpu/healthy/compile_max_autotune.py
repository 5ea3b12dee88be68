"""torch.compile in the mode that times many kernels, some of which do not fit the GPU."""

import logging

import torch
from torch._inductor import config, select_algorithm

# The tables of times and the log of kernels that do not fit are different in each run.
select_algorithm.PRINT_AUTOTUNE = False
if hasattr(config, "max_autotune_report_choices_stats"):
    config.max_autotune_report_choices_stats = False
torch._logging.set_logs(inductor=logging.CRITICAL)


@torch.compile(mode="max-autotune-no-cudagraphs")
def layer(x, weight, bias):
    return torch.nn.functional.gelu(x @ weight + bias)


torch.manual_seed(0)
x, weight = (torch.ones(512, 512, device="cuda", dtype=torch.bfloat16) for _ in range(2))
bias = torch.ones(512, device="cuda", dtype=torch.bfloat16)
for _ in range(3):
    y = layer(x, weight, bias)
torch.cuda.synchronize()
print("element", float(y[3, 4]))
