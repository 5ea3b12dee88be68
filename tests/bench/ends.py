"""ends - a Python program for scripts/bench end: it prints "first" when it starts and "last" when it
has nothing more to do. In between it uses the GPU, and if it is to fail, a kernel of it fails.

    ends.py ctypes MODULE clean|fail   the driver's functions
    ends.py torch clean|fail           PyTorch; the failure is an index out of bounds
    ends.py jax clean                  JAX
"""

import os
import sys


def use_ctypes(fails, module):
    import ctypes
    cuda = ctypes.CDLL("libcuda.so.1")
    out = ctypes.c_void_p()

    def get(name, *arguments):
        assert getattr(cuda, name)(ctypes.byref(out), *arguments) == 0, name
        return ctypes.c_void_p(out.value)

    assert cuda.cuInit(0) == 0
    cuda.cuCtxSetCurrent(get("cuDevicePrimaryCtxRetain", 0))
    kernel = get("cuModuleGetFunction", get("cuModuleLoad", module.encode()), b"stray_store")
    values = (ctypes.c_uint(1), get("cuMemAlloc_v2", ctypes.c_size_t(4096)),
              ctypes.c_ulonglong(1 << 43 if fails else 0))
    pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
    one = ctypes.c_uint(1)
    return (cuda.cuLaunchKernel(kernel, one, one, one, one, one, one, one.__class__(0), None,
                                pointers, None) or cuda.cuCtxSynchronize())


def use_torch(fails):
    import torch
    values = torch.zeros(1000, device="cuda")
    layer = torch.nn.Linear(1000, 1000, device="cuda")
    try:
        for _ in range(100):
            values = layer(values)
        values[torch.tensor([2000 if fails else 0], device="cuda")].sum().item()
    except RuntimeError:
        return 1
    return 0


def use_jax(fails):
    import jax
    import jax.numpy
    assert not fails
    step = jax.jit(lambda x: x @ x / 2)
    x = jax.numpy.ones((100, 100))
    for _ in range(100):
        x = step(x)
    x.block_until_ready()
    return 0


def main():
    os.write(1, b"first\n")
    fails = sys.argv[-1] == "fail"
    use = {"ctypes": use_ctypes, "torch": use_torch, "jax": use_jax}[sys.argv[1]]
    result = use(fails, *sys.argv[2:-1])
    os.write(1, b"last\n")
    return int(fails) if bool(result) == fails else 2


if __name__ == "__main__":
    sys.exit(main())
