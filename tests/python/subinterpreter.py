"""Capture stacks in a sub-interpreter: its own frames since 3.12, before that its caller's frames.

usage: subinterpreter.py LIBRARY
"""
import os
import sys

import recorder

try:
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters
except ImportError:
    print("skipped: no sub-interpreters here")
    sys.exit(77)

INNER = """
import ctypes, os, sys
sys.argv = ["", %r]
sys.path.insert(0, %r)
import recorder
library = ctypes.CDLL(recorder.LIBRARY)
def inner():
    return [row[1] for row in recorder.read_stack(library)[1]]
os.write(%d, ",".join(inner()).encode())
"""


def create():
    """One that may load extension modules as the main one does: ctypes."""
    if sys.version_info >= (3, 13):
        return interpreters.create("legacy")
    if sys.version_info >= (3, 12):
        return interpreters.create(isolated=False)
    return interpreters.create()


def outer():
    reader, writer = os.pipe()
    here = os.path.dirname(os.path.abspath(__file__))
    failed = interpreters.run_string(create(), INNER % (recorder.LIBRARY, here, writer))
    assert not failed, failed
    os.close(writer)
    return os.read(reader, 1000).decode().split(",")


def main():
    rec = recorder.load()
    names = outer()
    print(names)
    if sys.version_info >= (3, 12):
        assert names == ["inner", "<module>"]
    else:
        assert set(names) <= {"outer", "main", "<module>"}
    assert [row[1] for row in recorder.read_stack(rec)[1]] == ["main", "<module>"]


if __name__ == "__main__":
    main()
