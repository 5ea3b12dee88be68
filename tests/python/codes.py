"""A program that makes code as it goes, as template engines and tracing compilers do, on the
simulated driver: 200,000 code objects, each with a name of its own, launch and die; then a launch
fails.

usage: codes.py KERNELS
"""
import ctypes
import os
import sys

from host import STRAY_INDEX, Trainer, call, cuda

ROUNDS, SETTLED = 100000, 60000
SOURCE = "def step_%d():\n    launch(%d)\n\nstep_%d()\n"  # two code objects
ALLOWED_GROWTH_KB = 16384  # tables of stacks turn when they are full: 24 MiB


def resident_kb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") // 1024


class Program(Trainer):
    def __init__(self, kernels):
        super().__init__(kernels)
        self.index = ctypes.c_uint64()
        values = (ctypes.c_uint(7), self.data, self.index)
        self.kept = values, (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))

    def launch(self, index):
        self.index.value = index
        cuda.cuLaunchKernel(self.kernel, 1, 1, 1, 32, 1, 1, 0, None, self.kept[1], None)  # launch

    def run(self):
        for number in range(ROUNDS):
            if number == SETTLED:
                before = resident_kb()
            exec(compile(SOURCE % (number, number % 8, number), "<made %d>" % number, "exec"),
                 {"launch": self.launch})
            if number % 256 == 0:
                call("cuCtxSynchronize")
        growth = resident_kb() - before
        print("growth", growth, "kB", file=sys.stderr)
        if growth > ALLOWED_GROWTH_KB:
            print("grown by", growth, "kB")

    def fail(self):
        exec(compile("launch(%d)" % STRAY_INDEX, "<made last>", "exec"),  # culprit
             {"launch": self.launch})
        call("cuCtxSynchronize")


if __name__ == "__main__":
    program = Program(sys.argv[1])
    program.run()
    program.fail()
