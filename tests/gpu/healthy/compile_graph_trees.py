"""torch.compile with CUDA graphs, inputs of two shapes, forward and backward."""

import torch


@torch.compile(mode="reduce-overhead")
def step(x, weight):
    return torch.relu(x @ weight).sum()


weight = torch.ones(256, 256, device="cuda", requires_grad=True)
for rows in (64, 64, 64, 128, 128, 128, 64):
    torch.compiler.cudagraph_mark_step_begin()
    loss = step(torch.ones(rows, 256, device="cuda"), weight)
    loss.backward()
    print("loss", float(loss.detach()), "gradient", float(weight.grad[0, 0]))
    weight.grad = None
