"""After an exception of an SM, does the GPU stop as rule 15g of core/attribution/attribution.h says?

Each run of tests/gpu/recovery, without culprit, is one failure: one kernel makes an access to an odd
address or traps, while other streams have work. Prints a table, and writes it to OUT/RECOVERY.md.

    succeeded  in how many runs the kernel seems to succeed; the earliest such time in ms, or 0 if its
               stream had more work
    after it   in how many runs its stream starts more kernels; the most in one run
    elsewhere  in how many runs other streams start kernels, 0.4 ms after it and later; the most in one
               run, and the most of one stream

Rule 15g needs that no stream ever starts two.

scripts/gpu --pack recovery compiles the program. --only selects rows by their words.
Exit status: 0 the table agrees with rule 15g, 1 it does not.
"""

import os
import re
import subprocess
import sys

import suite

PROGRAM = os.path.join(suite.GPU, "recovery", "recovery.cu")
ROWS = [(access, later, streams)
        for access in ("store", "add", "read", "wait", "trap")
        for later, streams in (("nothing", 3), ("marker", 3), ("kernels", 6), ("nothing", 0))]
LINE = re.compile(r"error=(\d+) failed_ms=([\d.]+) ended_ms=(-?[\d.]+) after=(\d+) elsewhere=(\d+) most=(\d+)")
COLUMNS = ["access", "given after it", "other streams", "runs", "succeeded", "after it", "elsewhere", "failed after"]


def binary(build_dir):
    return os.path.join(build_dir, "bin", "gpu-recovery")


def pack(build_dir):
    subprocess.run(["nvcc", "-O2", "-cudart", "static", "-arch=sm_90", "-o", binary(build_dir), PROGRAM, "-lcuda",
                    "-L/usr/local/cuda/lib64/stubs"], check=True)


def counted(values, *more):
    """Say how many of the values are not 0, and the numbers that follow if any is."""
    n = sum(1 for value in values if value)
    return f"{n} of {len(values)}" + (f" ({', '.join(str(number) for number in more)})" if n else "")


def run_row(options, row):
    """Run one row. Return its cells, and the most kernels that one stream started later."""
    command = [binary(options.build_dir), *map(str, row)]
    runs = []
    for _ in range(options.runs):
        if suite.is_late(options):
            break
        found = LINE.search(suite.run(command, env=suite.environment(options)).out)
        if found:
            runs.append([float(value) for value in found.groups()])
    if not runs:
        return [*row, 0, "", "", "", ""], 0
    _, failed, ended, later, elsewhere, most = zip(*runs)
    has_ended = [time for time in ended if time >= 0]
    return [*row, len(runs), counted([time >= 0 for time in ended], *(min(has_ended, default=0),)),
            counted(later, int(max(later))), counted(elsewhere, int(max(elsewhere)), int(max(most))),
            f"{min(failed):.0f}-{max(failed):.0f} ms"], int(max(*most, *later) if later else 0)


def main():
    options = suite.parse(suite.make_parser(__doc__, runs=8, jobs=1, budget=400, only="."))
    if not os.path.exists(binary(options.build_dir)):
        sys.exit("gpu recovery: bin/gpu-recovery is not built; run scripts/gpu --pack recovery")
    chosen = [row for row in ROWS if re.search(options.only, " ".join(map(str, row)))]
    results = list(suite.run_all(options, lambda row: run_row(options, row), chosen))
    print(suite.write(options, "RECOVERY.md", "After an exception", suite.table(COLUMNS, [cells for cells, _ in results])))
    return 1 if any(most > 1 for _, most in results) else 0
