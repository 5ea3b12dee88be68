"""A training step captured in a CUDA graph and replayed."""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
x, y = torch.ones(32, 64, device="cuda"), torch.ones(32, 1, device="cuda")


def step():
    optimizer.zero_grad(set_to_none=False)
    loss = (model(x) - y).square().mean()
    loss.backward()
    optimizer.step()
    return loss


side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    for _ in range(3):
        step()
torch.cuda.current_stream().wait_stream(side)
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    loss = step()
for _ in range(50):
    graph.replay()
print("loss decreased to", round(float(loss.detach()), 4))
