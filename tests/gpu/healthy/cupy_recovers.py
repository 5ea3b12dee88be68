"""CuPy: memory that is refused, source that does not compile and a block that is too large are caught."""

import cupy

try:
    cupy.empty(1 << 50, dtype=cupy.uint8)
except cupy.cuda.memory.OutOfMemoryError:
    print("memory was refused")
try:
    cupy.RawKernel('extern "C" __global__ void bad() { nonsense; }', "bad").compile()
except cupy.cuda.compiler.CompileException:
    print("the source was refused")
good = cupy.RawKernel('extern "C" __global__ void good(int *x) { *x = 7; }', "good")
x = cupy.zeros(1, dtype=cupy.int32)
try:
    good((1,), (4096,), (x,))
except cupy.cuda.driver.CUDADriverError:
    print("a block of 4096 threads was refused")
good((1,), (32,), (x,))
print("result", int(x[0]))
