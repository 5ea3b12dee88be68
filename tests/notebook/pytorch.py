# %%
import torch

table = torch.zeros(1000, device="cuda")
torch.cuda.synchronize()
# %%
good = table[torch.arange(10, device="cuda")]
print(good.sum().item())
# %%
index = torch.tensor([1 << 40], device="cuda")
bad = torch.gather(table, 0, index)
# %%
more = table + 1
# %%
print(more.sum().item())
# %%
print(torch.ones(3, device="cuda"))
# %%
print("without the GPU")
