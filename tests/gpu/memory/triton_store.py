"""triton_store - the kernel of memory_faults, in a file of its own: Triton reads its source there."""

import triton
import triton.language as tl


@triton.jit
def store(out, index):
    tl.store(out + index, 1)
