"""A program that calls the driver by ctypes, for tests under culprit on the simulated driver.

usage: host.py KERNELS [at_exit LAUNCHER|in_threads|in_child|for_ever]

Launches stray_store from Python code of several kinds; one launch has an index far too big. An
error that the driver reports later is printed as a traceback. With at_exit it also launches from
atexit functions and destructors, while threads launch by the library of launcher.c, and does not
fail; with in_threads from short-lived threads. With for_ever it prints a line after its first
launch, and threads launch until the program is killed.
"""
import atexit
import ctypes
import os
import sys
import threading

STRAY_INDEX = 1 << 43
cuda = ctypes.CDLL("libcuda.so.1")


class DriverError(Exception):
    pass


def call(name, *arguments):
    result = getattr(cuda, name)(*arguments)
    if result:
        raise DriverError("%s returned %d" % (name, result))


class Trainer:
    def __init__(self, kernels):
        device, context = ctypes.c_int(), ctypes.c_void_p()
        module, self.kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self.data = ctypes.c_uint64()
        call("cuInit", 0)
        call("cuDeviceGet", ctypes.byref(device), 0)
        call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        call("cuCtxSetCurrent", context)
        self.context = context
        call("cuModuleLoad", ctypes.byref(module), (kernels + "/stray_store.so").encode())
        call("cuModuleGetFunction", ctypes.byref(self.kernel), module, b"stray_store")
        call("cuMemAlloc_v2", ctypes.byref(self.data), ctypes.c_size_t(4096))  # allocated

    def launch(self, index):
        values = (ctypes.c_uint(7), self.data, ctypes.c_uint64(index))
        pointers = (ctypes.c_void_p * 3)(*(ctypes.addressof(value) for value in values))
        call("cuLaunchKernel", self.kernel, 1, 1, 1, 32, 1, 1, 0, None, pointers, None)  # launch

    def steps(self):
        for step in range(12):
            yield step
            self.launch(step)

    def train(self):
        for step in self.steps():
            if step == 9:
                list(map(lambda index: self.launch(index),  # culprit
                         [STRAY_INDEX]))
            else:
                self.launch(40 + step)

    def read(self):
        call("cuCtxSynchronize")  # observer

    def __del__(self):
        self.launch(99)


def run_threads(trainer):
    def work():
        call("cuCtxSetCurrent", trainer.context)
        for index in range(20):
            trainer.launch(index)

    for _ in range(10):
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def launch_for_ever(trainer):
    call("cuCtxSetCurrent", trainer.context)
    while True:
        trainer.launch(1)


def launch_at_exit(trainer, path):
    launcher = ctypes.CDLL(path)

    def work():
        call("cuCtxSetCurrent", trainer.context)
        launcher.launcher_run(cuda.cuLaunchKernel, trainer.kernel, trainer.data)

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(3):
        launcher.launcher_wait()


def main():
    trainer = Trainer(sys.argv[1])
    what = sys.argv[2] if len(sys.argv) > 2 else "fail"
    if what == "at_exit":
        atexit.register(trainer.launch, 7)
        launch_at_exit(trainer, sys.argv[3])
        sys.modules["kept"] = trainer  # until the interpreter ends
        return
    if what == "for_ever":
        trainer.launch(1)
        print("launched", flush=True)
        for _ in range(3):
            threading.Thread(target=launch_for_ever, args=(trainer,), daemon=True).start()
        launch_for_ever(trainer)
    if what == "in_threads":
        run_threads(trainer)
    if what == "in_child":
        if os.fork() == 0:
            for number in range(100):
                exec("def f%d(): pass\nf%d()" % (number, number), {})
            os._exit(0)
        os.wait()
    trainer.train()
    trainer.read()


if __name__ == "__main__":
    main()
