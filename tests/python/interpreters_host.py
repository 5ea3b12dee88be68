"""Run several interpreters in one process, each launching in a thread of its own. One of them is
destroyed, and the kernel of the last one fails.

usage: interpreters_host.py KERNELS own|shared    (with a global lock of their own, or one for all)

From Python 3.13 on. Exit status: 0; 77 where ctypes does not load in such interpreters.
"""
import ctypes  # here too: its table of types is made at the first import, without a lock
import os
import sys
import threading

import _interpreters as interpreters

INNER = """
import sys
sys.path.insert(0, %r)
from host import STRAY_INDEX, Trainer, cuda
def work(index):
    trainer = Trainer(%r)
    for step in range(20):
        trainer.launch(step)
    trainer.launch(index)
    print("cuCtxSynchronize", cuda.cuCtxSynchronize(), flush=True)
work(STRAY_INDEX if %r else 0)
"""


def create(has_own_lock):
    return interpreters.create("isolated" if has_own_lock else "legacy")


def run(interpreter, is_bad):
    here = os.path.dirname(os.path.abspath(__file__))
    try:
        failed = interpreters.run_string(interpreter, INNER % (here, sys.argv[1], is_bad))
    except Exception as error:  # the type differs by version
        failed = error
    if failed:
        print(failed, file=sys.stderr, flush=True)
        os._exit(77)


def main():
    several = [create(sys.argv[2] == "own") for _ in range(3)]
    threads = [threading.Thread(target=run, args=(one, False)) for one in several[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    interpreters.destroy(several[0])
    run(several[2], True)


if __name__ == "__main__":
    main()
