"""bench_stacks - the part of scripts/bench about call stacks: the cost of a capture by culprit's walk
and by other unwinders, at three depths, in a new thread, with Python frames, and in bytes.

Each figure is the median of several processes that take turns; the cost of the calls around a
capture is subtracted. build/bin/stack_cost does the measuring.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

TESTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "python")
DEPTHS = (13, 33, 63)
SHAPES = (("same", "A"), ("inner", "B"), ("half", "C"))
METHODS = (
    ("own", "culprit, with its id"),
    ("own_anew", "culprit, all anew"),
    ("unw_backtrace", "unw_backtrace"),
    ("backtrace", "glibc backtrace"),
    ("frame_pointers", "frame pointers, where all code has them"),
)
NATIVE_DEPTH, PYTHON_DEPTH = 20, 30  # the combined figure's
TARGETS = {"launch": 100, "first": 5000, "bytes": 300}  # ns, ns and bytes of issue 3
UNIQUE_STACKS = 50000


def run(program, *arguments, prefix=(), check=True):
    done = subprocess.run([*prefix, program, *arguments], capture_output=True, text=True,
                          check=False, timeout=300)
    if check and done.returncode:
        sys.exit(f"bench: {program} {' '.join(arguments)}: exit status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done


def medians(outputs):
    """{words before the number: median}, of lines whose last word is a number."""
    told = {}
    for output in outputs:
        for line in output.splitlines():
            *key, value = line.split()
            told.setdefault(tuple(key), []).append(float(value))
    return {key: statistics.median(values) for key, values in told.items()}


def native_rows(figures):
    rows = []
    for method, title in METHODS:
        row = [title]
        for shape, _ in SHAPES:
            for depth in DEPTHS:
                taken = figures.get((method, shape, str(depth)))
                calls = figures["nothing", shape, str(depth)]
                row.append("-" if taken is None else f"{max(taken - calls, 0):.0f}")
        rows.append(row)
    return rows


def count_instructions(program, method, shape, depth):
    """Count the instructions of one capture. Two runs of different lengths cancel the setup cost."""
    counts = []
    for rounds in (1000, 3000):
        with tempfile.NamedTemporaryFile() as profile:
            valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile.name}"]
            done = run(program, method, shape, str(depth), str(rounds), prefix=valgrind,
                       check=False)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode or not counted:
            return None
        counts.append(int(counted.group(1)))
    return (counts[1] - counts[0]) / 2000


def instruction_rows(program):
    rows = []
    calls = {depth: count_instructions(program, "nothing", "same", depth) for depth in DEPTHS}
    for method, title in METHODS:
        counts = [count_instructions(program, method, "same", depth) for depth in DEPTHS]
        rows.append([title] + ["-" if n is None else f"{n - calls[depth]:.0f}"
                               for n, depth in zip(counts, DEPTHS)])
    return rows


def python_figures(build, turns):
    """{(version, depth): ns}, of the interpreters that tests/python/interpreters finds."""
    recorder = os.path.join(build, "lib", "libpython_recorder.so")
    if not os.path.exists(recorder):
        return {}
    found = [line.split() for line in run(os.path.join(TESTS, "interpreters")).stdout.splitlines()]
    outputs = []
    for _ in range(turns):
        for _, python in found:
            done = run(python, os.path.join(TESTS, "cost.py"), recorder, check=False)
            if done.returncode == 0:
                outputs.append(done.stdout)
    return medians(outputs)


def versions_of(figures):
    return sorted({version for version, _ in figures},
                  key=lambda version: [int(n) for n in re.findall(r"\d+", version)])


def python_rows(figures):
    depths = sorted({int(depth) for _, depth in figures})
    versions = versions_of(figures)
    rows = [[version] + [f"{figures[version, str(depth)]:.0f}"
                         if (version, str(depth)) in figures else "-" for depth in depths]
            for version in versions]
    return [f"{depth} frames" for depth in depths], rows


def at_depth(figures, depth):
    """ns at a depth between those measured, on the line through its neighbours."""
    known = sorted(figures)
    if depth in figures:
        return figures[depth]
    below = max([d for d in known if d < depth] or known[:1])
    above = min([d for d in known if d > depth] or known[-1:])
    if below == above:
        return figures[below] * depth / below
    share = (depth - below) / (above - below)
    return figures[below] + share * (figures[above] - figures[below])


def combined_rows(native, python):
    own = {depth: native["own", "same", str(depth)] - native["nothing", "same", str(depth)]
           for depth in DEPTHS}
    rows = []
    for version in versions_of(python):
        frames = {int(d): ns for (v, d), ns in python.items() if v == version}
        total = at_depth(own, NATIVE_DEPTH) + at_depth(frames, PYTHON_DEPTH)
        rows.append([f"{NATIVE_DEPTH} native + {PYTHON_DEPTH} Python {version} frames, ns",
                     f"{total:.0f}", str(TARGETS["launch"])])
    return rows or [[f"{NATIVE_DEPTH} native frames, ns (no figures of Python here)",
                     f"{at_depth(own, NATIVE_DEPTH):.0f}", str(TARGETS["launch"])]]


def rare_rows(program, turns):
    threads = medians(run(program, "threads", "100").stdout for _ in range(turns))
    n_stacks, n_nodes, size = run(program, "unique", str(UNIQUE_STACKS)).stdout.split()[1:]
    rows = []
    for (which, depth), taken in sorted(threads.items()):
        rows.append([f"{which} stack of a new thread, {depth} frames, ns", f"{taken:.0f}",
                     str(TARGETS["first"]) if which == "first" else ""])
    rows.append([f"bytes a unique stack, journal and index ({n_stacks} stacks of 40 frames, "
                 f"{int(n_nodes) / int(n_stacks):.1f} new ones each)",
                 f"{int(size) / int(n_stacks):.0f}", str(TARGETS["bytes"])])
    return rows


def bench_stacks(build, options, table, tell):
    program = os.path.join(build, "bin", "stack_cost")
    if not os.path.exists(program):
        sys.exit(f"bench: {program} is not there; run scripts/build first")
    rounds = str(options.launches or 20000)
    outputs = [run(program, rounds).stdout for _ in range(options.turns)]
    if outputs[0].startswith("skipped"):
        tell(outputs[0])
        return
    native = medians(outputs)
    python = python_figures(build, options.turns)
    tell(f"# Cost of a stack; {os.cpu_count()} processors\n")
    tell("ns a capture, by frames of the stack. A: the stack is the same again; B: its innermost "
         "four frames\nchange; C: its inner half is left and entered by another way.\n")
    heads = ["method"] + [f"{letter} {depth}" for _, letter in SHAPES for depth in DEPTHS]
    tell(table("Native frames", heads, native_rows(native)))
    if python:
        depths, rows = python_rows(python)
        tell(table("Python frames, ns", ["version", *depths], rows))
    tell(table("Together, and what is paid once", ["", "measured", "target"],
               combined_rows(native, python) + rare_rows(program, options.turns)))
    if options.no_instructions:
        return
    if not shutil.which("valgrind"):
        tell("No valgrind here: instructions are not counted.\n")
        return
    heads = ["method"] + [f"{depth} frames" for depth in DEPTHS]
    tell(table("Instructions a capture, the same stack again", heads, instruction_rows(program)))
