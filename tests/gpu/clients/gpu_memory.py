"""gpu_memory - takes a framework's memory away behind its back, as a library with a stale pointer
would find it."""

import ctypes

DRIVER = ctypes.CDLL("libcuda.so.1")


def free(address):
    """Frees the driver's allocation that begins at address: whoever uses it next hits nothing."""
    result = DRIVER.cuMemFree_v2(ctypes.c_uint64(address))
    assert result == 0, f"cuMemFree returned {result}"
