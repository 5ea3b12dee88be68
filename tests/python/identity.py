"""Code objects that die, and others at their addresses: no stack may show a dead one's name.

usage: identity.py LIBRARY
"""
import gc
import sys
import threading

import recorder

N_TURNS = 3000
check = recorder.Checker(recorder.load())
is_free_threaded = not getattr(sys, "_is_gil_enabled", lambda: True)()


def make(name, n_lines):
    """A function that nothing but the caller keeps, of the same size for names of one length."""
    names = {"check": check}
    source = "\n" * n_lines + "def %s():\n    return check()\n" % name
    exec(compile(source, name + ".py", "exec"), names)
    return names.pop(name)


def run_and_drop(prefix, addresses):
    for turn in range(N_TURNS):
        function = make("%s%06d" % (prefix, turn), turn % 50)
        addresses.append(id(function.__code__))
        function()


def keep_running(function, is_over):
    while not is_over.is_set():
        function()


def main():
    kept = [make("kept%d" % number, number) for number in range(3)]
    is_over = threading.Event()
    addresses = [[] for _ in range(3)]
    threads = [threading.Thread(target=run_and_drop, args=("f%d_" % number, addresses[number]))
               for number in range(3)]
    steady = threading.Thread(target=keep_running, args=(kept[0], is_over))
    for thread in threads + [steady]:
        thread.start()
    for thread in threads:
        thread.join()
    is_over.set()
    steady.join()
    gc.collect()
    used = sum(addresses, [])
    n_reused = len(used) - len(set(used))
    n_deaths = check.recorder.recorder_generation() - 1
    print("%d of %d addresses used again, %d deaths seen" % (n_reused, len(used), n_deaths))
    # Without the lock, Python keeps some code for ever.
    assert is_free_threaded or (n_reused > N_TURNS and n_deaths > N_TURNS)
    check.end(3 * N_TURNS)


if __name__ == "__main__":
    main()
