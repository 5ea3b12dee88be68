"""bench_end - the part of scripts/bench about the start and the end of a run: what `culprit run` adds
before the command's first output, and between its last output and the exit, with a failure and
without. Programs run without culprit and under it in turns.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from bench_statistics import median_interval

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def programs(build, driver, python):
    """Return [(title, command)]."""
    kernels = "gpu-kernels/stray_store.fatbin" if driver == "gpu" else "simcuda-kernels/stray_store.so"
    module = os.path.join(build, "lib", kernels)
    ends = os.path.join(ROOT, "tests", "bench", "ends.py")
    found = [("C", [os.path.join(build, "bin", "ends"), module]),
             ("Python", [sys.executable, ends, "ctypes", module])]
    for name in ("torch", "jax") if python else ():
        probe = subprocess.run([python, "-c", f"import {name}"], check=False, capture_output=True)
        if not probe.returncode:
            found.append((name, [python, ends, name]))
    return found


def run(command, environment, folder, status):
    """Return the ms until the first output, and from the last output to the exit."""
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=folder,
                                   env=environment, bufsize=0)
        moments = {}
        while b"last" not in moments:
            line = process.stdout.readline()
            if not line:
                break
            moments[line.strip()] = time.monotonic()
        process.stdout.read()
        process.wait()
        end = time.monotonic()
        errors.seek(0)
        if process.returncode != status or b"last" not in moments:
            sys.exit(f"bench: {' '.join(command)}: exit status {process.returncode}\\n"
                     f"{errors.read().decode(errors='replace')}")
    return (moments[b"first"] - begin) * 1000, (end - moments[b"last"]) * 1000


def row_of(title, plain, under):
    more = [u - p for u, p in zip(under, plain)]
    low, high = median_interval(more)
    return [title, f"{statistics.median(plain):.1f}", f"{statistics.median(under):.1f}",
            f"{statistics.median(more):.1f} ({low:.1f} to {high:.1f})"]


def bench_end(build, options, name, description, table, tell):
    tell(f"Medians of {options.turns} processes of each, in turns, in ms; the difference within a "
         "turn, with what its median lies between in 95 of 100 cases.\n")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CULPRIT_")}
    if name == "simcuda":
        environment["LD_LIBRARY_PATH"] = os.path.join(build, "lib", "simcuda")
    culprit = [os.path.join(build, "bin", "culprit"), "run", "--"]
    starts, ends = [], []
    for title, program in programs(build, name, options.python):
        for way, status in (("clean", 0), ("fail", 1)):
            if not re.search(options.only, f"{title} {way}") or (title, way) == ("jax", "fail"):
                continue
            told = []
            for _ in range(options.turns):
                with tempfile.TemporaryDirectory() as folder:
                    told.append([run(prefix + program + [way], environment, folder, status)
                                 for prefix in ([], culprit)])
            columns = [[[turn[i][j] for turn in told] for i in (0, 1)] for j in (0, 1)]
            starts.append(row_of(f"{title}, {way}", *columns[0]))
            ends.append(row_of(f"{title}, {way}", *columns[1]))
    heads = ["", "plain", "culprit run", "more"]
    tell(table(f"Until the first output: {description}", heads, starts))
    tell(table(f"From the last output to the exit: {description}", heads, ends))
