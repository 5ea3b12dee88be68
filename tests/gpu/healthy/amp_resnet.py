"""A residual network of torchvision trains with mixed precision, cuDNN's benchmark mode on."""

import torch
import torchvision

torch.backends.cudnn.benchmark = True
torch.manual_seed(0)
model = torchvision.models.resnet18(num_classes=10).cuda().to(memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
images = torch.randn(32, 3, 64, 64, device="cuda").to(memory_format=torch.channels_last)
labels = torch.arange(32, device="cuda") % 10
for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(images), labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print("finite", bool(torch.isfinite(loss)))
