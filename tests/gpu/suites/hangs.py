"""Programs that hang, under `culprit run --hang`: is the hang named, and does --on-hang abort end it?

Prints a line for each run that is not ok and a table, and writes the table to OUT/HANGS.md.

    PyTorch, Triton   tests/gpu/hangs: a kernel that does not finish, after 200 launches
    C++ kernel        the same in the robust host; another stream waits for an event after it
    C++ function      a host function that blocks
    C++ circle        two streams, each of which waits for the other

In Python programs the line that hangs is marked "# culprit: spin". "end" is the time to the exit of
`culprit run` from the moment at which it saw no progress for SECONDS.
Exit status: 0 every run named the hang and ended, 1 otherwise.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import suite

PROGRAMS = os.path.join(suite.GPU, "hangs")
EXIT_HUNG = 124

# The programs to run, and the headline that each must have.
KINDS = {
    "PyTorch": ("torch_spin.py", None),
    "Triton": ("triton_spin.py", None),
    "C++ kernel": ("kernel", r"exact: launch #233, spin at host\.c:\d+ host_spin"),
    "C++ function": ("function", r"exact: host function #233, cuLaunchHostFunc at hangs\.c:\d+"),
    "C++ circle": ("circle", r"(exact|likely): stream operation #233, cuStreamWaitValue32"),
}


def parse_options():
    parser = suite.make_parser(__doc__, runs=20, hang=5, jobs=8, budget=400, only=".")
    parser.add_argument("--gpus", type=int, default=1, metavar="N", help="spread the programs over N cards")
    parser.add_argument("--keep", metavar="DIR", help="keep the bundles of hangs that are not named in DIR")
    return suite.parse(parser)


def command_of(options, kind):
    """(command, pattern of the verdict)."""
    program, pattern = KINDS[kind]
    if program.endswith(".py"):
        line = suite.marked_line(os.path.join(PROGRAMS, program), "spin")
        return [sys.executable, os.path.join(PROGRAMS, program)], rf"exact: launch #\d+, .* at \S*\b{program}:{line}\b"
    return [os.path.join(options.build_dir, "bin", "tests", "robust"), "hangs"], pattern


def run(options, number, kind):
    """Return what is wrong or "", and the seconds from when the hang is due to the end."""
    command, pattern = command_of(options, kind)
    environment = suite.environment(options, ROBUST_HANG=KINDS[kind][0])
    if options.gpus > 1:
        environment["CUDA_VISIBLE_DEVICES"] = str(number % options.gpus)
    with tempfile.TemporaryDirectory() as work:
        culprit = suite.culprit(options, "run", "--dir", work, "--hang", str(options.hang), "--on-hang", "abort", "--")
        with suite.started(culprit + command, options.hang + 120, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=environment, text=True) as process:
            process.stdout.readline()
            ready = time.monotonic()
            try:
                _, told = process.communicate(timeout=options.hang + 60)
            except subprocess.TimeoutExpired:
                return "did not end", 0
        if options.keep and not re.search(pattern, told):
            shutil.copytree(work, os.path.join(options.keep, f"{number}"))
    end = time.monotonic() - ready - options.hang
    first = re.search(r"^culprit: hung — (.*)$", told, re.MULTILINE)
    if process.returncode != EXIT_HUNG:
        return f"status {process.returncode}: {told[-2000:]}", end
    if not first or not re.search(pattern, first.group(1)):
        return f"not named: {told[:2000]}", end
    return "", end


def main():
    options = parse_options()
    wanted = [kind for kind in KINDS if re.search(options.only, kind) for _ in range(options.runs)]

    def one(place):
        number, kind = place
        return None if suite.is_late(options) else (kind, *run(options, number, kind))

    results = list(filter(None, suite.run_all(options, one, enumerate(wanted))))
    rows = []
    for kind in dict.fromkeys(kind for kind, _, _ in results):
        ends = [end for name, wrong, end in results if name == kind and not wrong]
        told = [f"{statistics.median(ends):.1f}", f"{max(ends):.1f}"] if ends else ["-", "-"]
        rows.append([kind, sum(name == kind for name, _, _ in results), len(ends), *told])
    for kind, wrong, _ in results:
        if wrong:
            print(f"{kind}: {wrong}")
    columns = ["program", "runs", "named", "end (s): median", "longest"]
    print(suite.write(options, "HANGS.md", "Hangs", suite.table(columns, rows)), end="")
    return 1 if any(wrong for _, wrong, _ in results) else 0
