"""out_of_memory - an extension holds the memory: out_of_memory FRAMEWORK EXTENSION MIB [recover].
Then the framework is asked for more until none is left: for good, or ("recover") like a training
loop that continues with smaller batches."""

import ctypes
import sys

STEPS = 20


class Driver:
    """No framework: cuMemAlloc, and a loop of memsets."""

    Full = MemoryError

    def __init__(self):
        self.driver = ctypes.CDLL("libcuda.so.1")
        context = ctypes.c_void_p()
        assert self.driver.cuInit(0) == 0
        assert self.driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
        assert self.driver.cuCtxSetCurrent(context) == 0

    def free_mib(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        assert self.driver.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)) == 0
        return free.value >> 20

    def take(self, mib):
        address = ctypes.c_uint64()
        if self.driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(mib << 20)):
            raise MemoryError(f"{mib} MiB")
        return address

    def give(self, address):
        assert self.driver.cuMemFree_v2(address) == 0

    def step(self, address):
        assert self.driver.cuMemsetD8_v2(address, 1, ctypes.c_size_t(1 << 20)) == 0
        assert self.driver.cuCtxSynchronize() == 0


class Torch:
    def __init__(self):
        import torch

        self.torch, self.Full = torch, torch.OutOfMemoryError
        self.weights = torch.nn.Linear(1024, 1024, device="cuda")
        self.optimizer = torch.optim.Adam(self.weights.parameters())

    def free_mib(self):
        return self.torch.cuda.mem_get_info()[0] >> 20

    def take(self, mib):
        return self.torch.empty(mib << 20, dtype=self.torch.uint8, device="cuda")

    def give(self, tensor):
        del tensor

    def step(self, tensor):
        batch = tensor[: 4 << 20].view(self.torch.float32).view(-1, 1024) * 0
        self.weights(batch).sum().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()


def recover(framework):
    """As large a batch as there is room for, found by trying."""
    mib = framework.free_mib() * 4
    for _ in range(STEPS):
        while True:
            try:
                batch = framework.take(mib)
                break
            except framework.Full:
                mib //= 2
        framework.step(batch)
        framework.give(batch)


def exhaust(framework):
    mib, kept = max(framework.free_mib() // 8, 1), []
    while True:
        kept.append(framework.take(mib))


def hold(extension, name, size):
    """By the runtime that PyTorch has brought; simcuda has none."""
    calls = [(b"libcudart.so.13", b"cudaMalloc"), (b"libcudart.so.12", b"cudaMalloc")]
    if name == "driver":
        calls = [(b"libcuda.so.1", b"cuMemAlloc_v2")]
    for call in calls:
        result = ctypes.CDLL(extension).hoard_memory(*call, ctypes.c_size_t(size))
        if result != -1:
            break
    assert result == 0, f"the extension is told {result}"


def main(name, extension, mib, how="exhaust"):
    framework = {"driver": Driver, "torch": Torch}[name]()
    hold(extension, name, int(mib) << 20)
    if how == "recover":
        recover(framework)
        print("the loop is over", file=sys.stderr, flush=True)
    else:
        exhaust(framework)


main(*sys.argv[1:])
