"""JAX: an array that does not fit is refused, and the program continues."""

import jax
import jax.numpy as jnp

try:
    jnp.zeros((1 << 20, 1 << 20), dtype=jnp.float32).block_until_ready()
    print("4 TiB were granted")
except jax.errors.JaxRuntimeError as error:
    print("refused:", str(error).split(":", 1)[0])
print("sum", float(jnp.ones((1024, 1024)).sum()))
