"""JAX: a jitted training step."""

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, x, y):
    def loss(w):
        return jnp.mean((jnp.tanh(x @ w) - y) ** 2)
    value, gradient = jax.value_and_grad(loss)(weights)
    return weights - 0.1 * gradient, value


weights = jnp.zeros((128, 16))
x, y = jnp.ones((64, 128)), jnp.full((64, 16), 0.5)
for _ in range(20):
    weights, value = step(weights, x, y)
print("loss", round(float(value), 5))
