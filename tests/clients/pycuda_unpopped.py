"""A context is made and never popped: PyCUDA aborts the process when it notices.

pycuda_unpopped.py clean|failed|thread|popped|other: at the end, without a failure; because a
failure skips Context.pop(); when another thread exits; not at all, because the context is popped;
and not at all, because the process aborts for a reason of its own."""

import os
import sys
import threading

import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void put(int *words, long long index)
{
	words[index] = 1;
}
"""


def run(index):
    put = SourceModule(SOURCE).get_function("put")
    words = cuda.mem_alloc(4096)
    put(words, np.int64(index), block=(1, 1, 1))  # culprit
    cuda.Context.synchronize()


def main(ending):
    context = cuda.Device(0).make_context()  # context
    run(1 << 43 if ending == "failed" else 0)
    print("done", flush=True)
    if ending == "popped":
        context.pop()
    if ending == "other":
        os.abort()


cuda.init()
if sys.argv[1] == "thread":
    threading.Thread(target=main, args=["thread"]).start()
    threading.Event().wait(300)  # for the abort
else:
    main(sys.argv[1])
