"""JAX: a kernel that takes many minutes, after 200 launches."""

import os

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # others may use this GPU

import jax
import jax.numpy as jnp
import numpy

N, WIDE = 1 << 28, 1 << 24


@jax.jit
def scale(x):
    return x * 1.0001


@jax.jit
def smooth(x):
    """The sums of all windows: N * WIDE additions."""
    return jax.lax.reduce_window(x, numpy.float32(0), jax.lax.add, (WIDE,), (1,), "VALID")


out = jnp.zeros(4096, dtype=jnp.float32)
many = jnp.ones(N, dtype=jnp.float32)
scale(out)
for _ in range(200):
    out = scale(out)
out.block_until_ready()
sums = smooth(many)  # culprit: spin
for _ in range(5):
    out = scale(out)
print("ready", flush=True)
sums.block_until_ready()
