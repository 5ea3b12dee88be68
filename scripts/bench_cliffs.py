"""bench_cliffs - the part of scripts/bench about rare actions of programs that may be expensive for a
tool: new stacks, new streams, full queues, locked memory, exit. build/bin/cliffs does the work, without
culprit and under it in turns.
"""

import os
import re
import statistics
import subprocess
import sys

from bench_statistics import median_interval

# Title with its unit, arguments of cliffs before the module and after it.
CLIFFS = (
    ("launch from a new stack of 120 frames, us", "stacks", ["1"]),
    ("the same, 4 threads, us", "stacks", ["4"]),
    ("stream made, launched into, destroyed, us", "streams", ["1"]),
    ("the same, 4 threads, us", "streams", ["4"]),
    ("launch into a queue that another thread keeps full, ms", "full", []),
    ("resident under mlockall(MCL_FUTURE), MiB", "locked", []),
    ("from the return of main until the process has gone, us", "exit", []),
)


def run(build, driver, variant, kind, arguments):
    command = [os.path.join(build, "bin", "cliffs"), kind, driver.module, *arguments]
    environment = driver.environment(variant)
    environment.pop("SIMCUDA_NULL", None)  # work is to take its time
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False,
                          timeout=600)
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return float(done.stdout)


def row_of(title, plain, under):
    """Return the medians, and the ratio within a turn with the confidence interval of its median."""
    ratios = [u / p for u, p in zip(under, plain)]
    low, high = median_interval(ratios)
    return [title, f"{statistics.median(plain):.4g}", f"{statistics.median(under):.4g}",
            f"{statistics.median(ratios):.2f} ({low:.2f}-{high:.2f})"]


def bench_cliffs(build, options, driver, variants, table, tell):
    tell(f"Medians of {options.turns} processes of each, in turns; ratios within a turn, with what "
         "the median lies between in 95 of 100 cases.\n")
    rows = []
    for title, kind, arguments in CLIFFS:
        if not re.search(options.only, title):
            continue
        told = [[], []]
        for _ in range(options.turns):
            for variant, values in zip(variants, told):
                values.append(run(build, driver, variant, kind, arguments))
        rows.append(row_of(title, *told))
    tell(table(f"Cliffs: {driver.describe().replace(', null mode', '')}",
               ["", "plain", "culprit", "ratio"], rows))
