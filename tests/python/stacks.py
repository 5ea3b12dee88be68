"""Stacks of every kind of Python code against sys._getframe(), in threads that disturb each other.

usage: stacks.py LIBRARY [STACKS]
"""
import asyncio
import ctypes
import functools
import gc
import os
import sys
import threading

import recorder

N_WANTED = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
N_WORKERS = 3
check = recorder.Checker(recorder.load())


def recurse(depth):
    return recurse(depth - 1) if depth else check()


def recurse_mutually(depth):
    return (lambda: recurse_mutually(depth - 1))() if depth else check()


class Things:
    in_class_body = check()

    def __init__(self, number=0):
        self.number = number
        check()

    def __del__(self):
        check()

    def __enter__(self):
        check()

    def __exit__(self, *unused):
        check()

    def __add__(self, other):
        return check()

    def __getattr__(self, name):
        return check()

    @property
    def one(self):
        return check()

    @classmethod
    def of_class(cls):
        class Local:
            inner = check()
        return Local

    @staticmethod
    def comprehensions():
        return ([check() for _ in range(2)], {check(): check() for _ in range(1)},
                {check() for _ in range(1)}, list(check() for _ in range(2)))


def use_things():
    things = Things()
    things.comprehensions()
    things.of_class()
    things.one + things.missing
    things + things
    with things:
        check()


def construct_often():
    for number in range(40):  # 3.12 inlines constructors that are warm
        Things(number)


def generate(depth):
    if depth:
        yield from generate(depth - 1)
    check()
    yield check()


def delegate():
    generator = generate(3)
    next(generator)
    check()
    generator.close()
    list(generate(2))


async def wait(depth):
    if depth:
        await wait(depth - 1)
    await asyncio.sleep(0)
    check()


async def count(n):
    for number in range(n):
        check()
        yield number


async def run_together():
    await asyncio.gather(wait(2), wait(3), wait(0))
    async for _ in count(2):
        check()
    return [check() async for _ in count(2)]


def run_coroutines():
    loop = asyncio.new_event_loop()
    loop.run_until_complete(run_together())
    loop.close()


def through_c():
    functools.reduce(lambda left, right: check(), [1, 2, 3])
    sorted([3, 1, 2], key=lambda number: (check(), number)[1])
    list(map(check, [1, 2]))
    functools.partial(recurse, 2)()


def from_thread_of_c():
    call = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: recurse(3))
    assert check.recorder.recorder_call_elsewhere(call) == 0


def raise_and_catch(depth):
    try:
        if depth:
            raise_and_catch(depth - 1)
        raise ValueError(check())
    except ValueError:
        check()
        if depth % 2:
            raise
    finally:
        check()


def use_exceptions():
    raise_and_catch(4)
    try:
        check() / 0
    except ZeroDivisionError as error:
        check(error)


def over_many_lines():
    return dict(
        one=1,
        two=check(),
        three=[1,
               2, check(),
               check(
                   3)],
        four=(lambda:
              check())())


def make_long_function():
    steps = "".join("    x += %d; y = %r\n" % (i, "a" * i) for i in range(200))
    source = ("def long(check):\n" + "\n" * 300 + "    x = 0\n" + steps + "    check()\n" +
              "\n" * 5000 + "    check()\n    return x\n")
    names = {}
    exec(compile(source, "/tmp/caf\u00e9/\u4e2d/\U0001f600.py", "exec"), names)
    return names["long"]


def run_text():
    for number in range(3):
        names = {"check": check}
        exec("def made_%d():\n  return check()\nclass C:\n  x = made_%d()\n" % (number, number),
             names)
        eval("[check() for _ in range(2)] and made_%d()" % number, names)


long_function = make_long_function()


def run_everything():
    for depth in (0, 1, 5, 30, 100):
        recurse(depth)
    recurse_mutually(12)
    use_things()
    delegate()
    run_coroutines()
    through_c()
    from_thread_of_c()
    use_exceptions()
    over_many_lines()
    long_function(check)
    run_text()
    construct_often()
    gc.collect(0)


def disturb(is_over):
    """Holds the interpreter's lock, and makes and drops code, while the others are captured."""
    number = 0
    while not is_over.is_set():
        exec("def f%d(a):\n  return [a for _ in range(3)]\nf%d(1)" % (number, number), {})
        sys._current_frames()
        number += 1


def work():
    while check.n_checked < N_WANTED:
        run_everything()


def main():
    is_over = threading.Event()
    disturbers = [threading.Thread(target=disturb, args=(is_over,)) for _ in range(2)]
    workers = [threading.Thread(target=work) for _ in range(N_WORKERS)]
    for thread in disturbers + workers:
        thread.start()
    work()
    for worker in workers:
        worker.join()
    is_over.set()
    for thread in disturbers:
        thread.join()
    check.end(N_WANTED)


if __name__ == "__main__":
    main()
