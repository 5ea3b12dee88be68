"""JAX: a freed array that CuPy lent it, used at once or from a jitted function."""

import os
import sys

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # others may use this GPU

import cupy
import jax
import jax.numpy as jnp

import gpu_memory

N = 64 << 20


@jax.jit
def wave(x):
    return jnp.sin(x) * 2 + 1


def main(fault):
    lent = cupy.ones(N, dtype=cupy.float32)
    x = jax.dlpack.from_dlpack(lent)
    y = jnp.ones(1000, dtype=jnp.float32)
    wave(x).block_until_ready()
    (x * 2).block_until_ready()
    gpu_memory.free(lent.data.ptr)
    if fault == "eager":
        z = x * 2  # culprit: eager
    else:
        z = wave(x)  # culprit: jit
    for _ in range(20):
        y = y * 1.5
    print("sum", float(y.sum()), float(z.sum()))


main(sys.argv[1])
