"""Measure the Python part of a capture, for a stack that does not change between captures.

Prints lines of "VERSION DEPTH NS".

usage: cost.py LIBRARY [CAPTURES]
"""
import platform
import sys
import sysconfig

import recorder

N_CAPTURES = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
DEPTHS = (7, 30, 60, 200)
rec = recorder.load()


def measure(depth):
    """At a stack of `depth` frames, this one included."""
    frame, n_frames = sys._getframe(), 0
    while frame:
        frame, n_frames = frame.f_back, n_frames + 1
    if n_frames < depth:
        return measure(depth)
    return rec.recorder_cost(N_CAPTURES)


def main():
    version = platform.python_version()
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        version += "t"
    for depth in DEPTHS:
        print("%s %d %.1f" % (version, depth, measure(depth)))


if __name__ == "__main__":
    main()
